// becomePlayer(): signs an anonymous visitor in as a guest. One POST, without leaving the page.

import { t } from "site/i18n.js";

import { isSignedIn, lobby } from "./shared.js";

const page = document.documentElement;

/** @returns {NodeListOf<HTMLInputElement>} */
function csrfFields() {
  return document.querySelectorAll("input[name=csrfmiddlewaretoken]");
}

/** @param {string} name */
function showName(name) {
  /** @type {HTMLAnchorElement | null} */
  const signIn = document.querySelector(".site-tools a[data-sign-in]");
  if (!signIn) return;
  signIn.textContent = name;
  signIn.href = page.dataset.historyUrl ?? "";
}

export async function becomePlayer() {
  if (isSignedIn()) return;
  const answer = await fetch(page.dataset.guestUrl ?? "", {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": csrfFields()[0]?.value ?? "" },
  });
  if (!answer.ok) {
    throw new Error(
      answer.status === 429
        ? t("Too many guests have joined from your network. Wait a few minutes, or sign in.")
        : t("The site didn’t respond. Please try again."),
    );
  }
  const { name, kind, csrf } = await answer.json();
  page.dataset.user = name;
  page.dataset.kind = kind;
  // Signing in has changed the CSRF token of the page's forms.
  if (csrf) for (const field of csrfFields()) field.value = csrf;
  showName(name);
  lobby().reconnect();
}
