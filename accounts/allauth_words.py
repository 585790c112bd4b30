"""allauth's texts in the words of this site.

allauth writes "Sign In" where the site writes "Sign in", and its translations address people
formally in one sentence and informally in the next. Each entry maps one of its texts to ours;
`make messages` collects ours for translation like any other text, and writes a catalogue to
`accounts/allauth_locale/` in which gettext finds the translation of ours under allauth's text.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

CLOSE: Final = (
    "If you do not recognize this change then please take proper security precautions immediately."
    " The change to your account originates from:\n\n- IP address: %(ip)s\n- Browser:"
    " %(user_agent)s\n- Date: %(timestamp)s"
)

WORDS: Final[dict[str, str]] = {
    # Forms
    "Username": _("Name"),
    "Username or email": _("Name or e-mail"),
    "Email": _("E-mail"),
    "Email address": _("E-mail address"),
    "Email (optional)": _("E-mail (optional)"),
    "Remember Me": _("Stay signed in"),
    "Current Password": _("Current password"),
    "New Password": _("New password"),
    "New Password (again)": _("Repeat new password"),
    "Password (again)": _("Repeat password"),
    "Authenticator code": _("Code from your authenticator app"),
    "Passwordless": _("Sign in without a password"),
    "Enabling passwordless operation allows you to sign in using just this key, but imposes "
    "additional requirements such as biometrics or PIN protection.": _(
        "You can then sign in with this key alone. It must ask for a fingerprint, a face or a PIN."
    ),
    # Errors
    "This account is currently inactive.": _("This account is closed."),
    "You cannot remove your primary email address.": _(
        "You can’t remove your main e-mail address. Choose another main address first."
    ),
    "This email address is already associated with this account.": _(
        "Your account already has this e-mail address."
    ),
    "The email address and/or password you specified are not correct.": _(
        "Wrong e-mail address or password."
    ),
    "The username and/or password you specified are not correct.": _("Wrong name or password."),
    "A user is already registered with this email address.": _(
        "Another account has this e-mail address."
    ),
    "Please type your current password.": _("That isn’t your current password."),
    "Incorrect code.": _("Wrong code."),
    "Incorrect password.": _("Wrong password."),
    "You must type the same password each time.": _("The two passwords don’t match."),
    "The password reset token was invalid.": _("This link is no longer valid. Ask for a new one."),
    "You cannot add more than %d email addresses.": _(
        "You can’t have more than %d e-mail addresses."
    ),
    "Too many failed login attempts. Try again later.": _(
        "Too many failed attempts. Try again later."
    ),
    "Username can not be used. Please use other username.": _(
        "You can’t use this name. Please choose another."
    ),
    "You cannot add an email address to an account protected by two-factor authentication.": _(
        "Turn off the second factor before you add an e-mail address."
    ),
    "You cannot deactivate two-factor authentication.": _("You can’t turn off the second factor."),
    "You cannot generate recovery codes without having two-factor authentication enabled.": _(
        "Recovery codes go with a second factor: set one up first."
    ),
    "You cannot activate two-factor authentication until you have verified your email address.": _(
        "Confirm your e-mail address before you set up a second factor."
    ),
    # Signing in and out
    "Sign In": _("Sign in"),
    "Sign in with a passkey": _("Sign in with a passkey"),
    "Sign Out": _("Sign out"),
    "Account Inactive": _("Account closed"),
    "This account is inactive.": _("This account is closed."),
    "Successfully signed in as %(name)s.": _("Welcome, %(name)s."),
    "You have signed out.": _("You’ve signed out."),
    "You are already logged in as %(user_display)s.": _(
        "You’re already signed in as %(user_display)s."
    ),
    "Confirm Access": _("Confirm it’s you"),
    "Please reauthenticate to safeguard your account.": _(
        "To protect your account, please sign in again."
    ),
    "Alternative options": _("Other options"),
    "Enter your password:": _("Your password:"),
    "Enter an authenticator code:": _("The code from your authenticator app:"),
    "Use your password": _("Use your password"),
    "Use authenticator app or code": _("Use your authenticator app or a recovery code"),
    "Use a security key": _("Use a security key"),
    # E-mail
    "Email Addresses": _("E-mail addresses"),
    "The following email addresses are associated with your account:": _(
        "Your account has these e-mail addresses:"
    ),
    "Verified": _("Confirmed"),
    "Unverified": _("Not confirmed yet"),
    "Primary": _("Main address"),
    "Make Primary": _("Make this my main address"),
    "Re-send Verification": _("Resend confirmation"),
    "Add Email Address": _("Add an e-mail address"),
    "Add Email": _("Add"),
    "Do you really want to remove the selected email address?": _(
        "Remove the selected e-mail address?"
    ),
    "You currently do not have any email address set up. You should really add an email address so "
    "you can receive notifications, reset your password, etc.": _(
        "Your account has no e-mail address. Without one, you can’t reset a forgotten password."
    ),
    "Confirm Email Address": _("Confirm your e-mail address"),
    'Please confirm that <a href="mailto:%(email)s">%(email)s</a> is an email address for user '
    "%(user_display)s.": _(
        'Does <a href="mailto:%(email)s">%(email)s</a> belong to %(user_display)s?'
    ),
    "Unable to confirm %(email)s because it is already confirmed by a different account.": _(
        "Another account has already confirmed %(email)s."
    ),
    "This email confirmation link expired or is invalid. Please "
    '<a href="%(email_url)s">issue a new email confirmation request</a>.': _(
        "This link is no longer valid. "
        'You can <a href="%(email_url)s">ask for another confirmation</a>.'
    ),
    "You cannot remove your primary email address (%(email)s).": _(
        "You can’t remove %(email)s while it’s your main address."
    ),
    "Confirmation email sent to %(email)s.": _("We sent a link to %(email)s."),
    "You have confirmed %(email)s.": _("%(email)s has been confirmed."),
    "Removed email address %(email)s.": _("%(email)s has been removed."),
    "Primary email address set.": _("Your main address has changed."),
    "Verify Your Email Address": _("Confirm your e-mail address"),
    # Password
    "Change Password": _("Change password"),
    "Set Password": _("Set a password"),
    "Password Reset": _("Reset your password"),
    "Reset My Password": _("Send me a link"),
    "Bad Token": _("This link is no longer valid"),
    "The password reset link was invalid, possibly because it has already been used.  Please "
    'request a <a href="%(passwd_reset_url)s">new password reset</a>.': _(
        "Maybe it has already been used. "
        'You can <a href="%(passwd_reset_url)s">ask for a new link</a>.'
    ),
    "Your password is now changed.": _("Your new password is set. You can sign in with it."),
    "Password successfully changed.": _("Your password has changed."),
    "Password successfully set.": _("Your password is set."),
    # The second factor
    "Two-Factor Authentication": _("Second factor"),
    "Your account is protected by two-factor authentication. "
    "Please enter an authenticator code:": _(
        "Your account has a second factor. Enter the code from your authenticator app, or a "
        "recovery code."
    ),
    "Authenticator App": _("Authenticator app"),
    "Authentication using an authenticator app is active.": _("An authenticator app is set up."),
    "An authenticator app is not active.": _("No authenticator app yet."),
    "Activate": _("Set up"),
    "Deactivate": _("Turn off"),
    "Security Keys": _("Security keys and passkeys"),
    "No security keys have been added.": _("No security key yet."),
    "Recovery Codes": _("Recovery codes"),
    "No recovery codes set up.": _(
        "You get recovery codes with your second factor. If you lose it, one of them lets you in."
    ),
    "Generate": _("Create new ones"),
    "A new set of recovery codes has been generated.": _("You have new recovery codes."),
    "Authenticator app activated.": _("Your authenticator app is set up."),
    "Authenticator app deactivated.": _("Your authenticator app has been turned off."),
    "Security key added.": _("Your security key has been added."),
    "Security key removed.": _("The security key has been removed."),
    "You are about to generate a new set of recovery codes for your account.": _(
        "You’re about to create new recovery codes."
    ),
    "This action will invalidate your existing codes.": _("The old ones will stop working."),
    "Unused codes": _("Unused codes"),
    "Download codes": _("Download"),
    "Generate new codes": _("Create new codes"),
    "Activate Authenticator App": _("Set up an authenticator app"),
    "To protect your account with two-factor authentication, scan the QR code below with your "
    "authenticator app. Then, input the verification code generated by the app below.": _(
        "Scan this code with your authenticator app, then enter the six digits it shows."
    ),
    "Authenticator secret": _("Or enter this secret key in the app"),
    "You can store this secret and use it to reinstall your authenticator app at a later time.": _(
        "You can use it to set up the app again on another device."
    ),
    "Deactivate Authenticator App": _("Turn off the authenticator app"),
    "You are about to deactivate authenticator app based authentication. Are you sure?": _(
        "Your account will then be protected by your password alone."
    ),
    "Add Security Key": _("Add a security key"),
    "Remove Security Key": _("Remove a security key"),
    "Are you sure you want to remove this security key?": _("Remove this security key?"),
    "Edit Security Key": _("Edit a security key"),
    "This functionality requires JavaScript.": _("This needs JavaScript."),
    # E-mails
    "Account Already Exists": _("You already have an account"),
    "You are receiving this email because you or someone else tried to signup for an\naccount "
    "using email address:\n\n%(email)s\n\nHowever, an account using that email address already "
    "exists.  In case you have\n"
    "forgotten about this, please use the password forgotten procedure to recover\n"
    "your account:\n\n%(password_reset_url)s": _(
        "Somebody, perhaps you, tried to create an account with the e-mail address %(email)s.\n"
        "An account already uses this address. If you forgot its password, you can set a new one "
        "here:\n\n"
        "%(password_reset_url)s"
    ),
    "Hello from %(site_name)s!": _("Hello from %(site_name)s,"),
    "Thank you for using %(site_name)s!\n%(site_domain)s": _("%(site_name)s\n%(site_domain)s"),
    "You are receiving this mail because the following change was made to your account:": _(
        "Something changed in your account:"
    ),
    CLOSE: _(
        "If that wasn’t you, change your password now. The change came from:\n\n"
        "- address: %(ip)s\n- browser: %(user_agent)s\n- time: %(timestamp)s"
    ),
    "Your email has been changed from %(from_email)s to %(to_email)s.": _(
        "Your e-mail address changed from %(from_email)s to %(to_email)s."
    ),
    "Email Changed": _("Your e-mail address has changed"),
    "Your email has been confirmed.": _("Your e-mail address is confirmed."),
    "Email Confirmation": _("Your e-mail address is confirmed"),
    "You're receiving this email because user %(user_display)s has given your email address to "
    "register an account on %(site_domain)s.": _(
        "%(user_display)s gave this e-mail address for an account on %(site_domain)s."
    ),
    "To confirm this is correct, go to %(activate_url)s": _(
        "If that was you, confirm it here: %(activate_url)s"
    ),
    "Please Confirm Your Email Address": _("Please confirm your e-mail address"),
    "Email address %(deleted_email)s has been removed from your account.": _(
        "%(deleted_email)s was removed from your account."
    ),
    "Email Removed": _("An e-mail address was removed"),
    "Your password has been changed.": _("Your password has changed."),
    "Password Changed": _("Your password has changed"),
    "You're receiving this email because you or someone else has requested a password reset for "
    "your user account.\nIt can be safely ignored if you did not request a password reset. Click "
    "the link below to reset your password.": _(
        "Somebody, perhaps you, asked for a new password for your account.\n"
        "If it was you, set one with this link. If not, you can ignore this e-mail."
    ),
    "In case you forgot, your username is %(username)s.": _(
        "In case you forgot: your name is %(username)s."
    ),
    "Password Reset Email": _("Set a new password"),
    "Your password has been reset.": _("Your password was reset."),
    "Your password has been set.": _("Your password is set."),
    "Password Set": _("Your password is set"),
    "You are receiving this email because you, or someone else, tried to access an account with "
    "email %(email)s. However, we do not have any record of such an account in our database.": _(
        "Somebody, perhaps you, tried to access an account with the e-mail address %(email)s, "
        "but no account uses it."
    ),
    "If it was you, you can sign up for an account using the link below.": _(
        "If that was you, you can create one here:"
    ),
    "Unknown Account": _("No account uses this e-mail address"),
    "A new set of Two-Factor Authentication recovery codes has been generated.": _(
        "New recovery codes were created for your account."
    ),
    "New Recovery Codes Generated": _("You have new recovery codes"),
    "Authenticator App Activated": _("Your authenticator app is set up"),
    "Authenticator App Deactivated": _("Your authenticator app has been turned off"),
    "A new security key has been added.": _("A security key was added to your account."),
    "Security Key Added": _("A security key was added"),
    "A security key has been removed.": _("A security key was removed from your account."),
    "Security Key Removed": _("A security key was removed"),
}
"""Single texts; those with a plural form are fine as they are."""

FIELD_LABELS: Final[dict[str, str]] = {"Login": _("Name or e-mail")}
"""Texts that allauth looks up with the context "field label"."""
