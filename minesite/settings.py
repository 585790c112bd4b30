"""Settings, from the environment. docs/configuration.md describes each variable."""

from __future__ import annotations

import sys
from pathlib import Path

from csp.constants import NONCE, NONE, SELF

from games.engine.registry import built_in
from minesite import environment as env
from minesite.database_url import database
from minesite.unix_sockets import socket_path

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.data_dir(BASE_DIR / "var")

# --- Where it listens -------------------------------------------------------------------------
HOST = env.text("HOST", "127.0.0.1")
PORT = env.number("PORT", 8000, 1, 65535)
TCP_PORT = env.number("TCP_PORT", 7777, 1, 65535)
TCP_CONNECTIONS = env.number("TCP_CONNECTIONS", 5000, 1)
TCP_CONNECTIONS_PER_ADDRESS = env.number("TCP_CONNECTIONS_PER_ADDRESS", 100, 20)
WEB_PROCESSES = env.number("WEB_PROCESSES", 1, 1, 256)
# uvicorn's WebSocket protocol: "auto", "websockets", "wsproto" or "package.module:Class".
WEBSOCKET_CLASS = env.text("WEBSOCKET_CLASS", "games.live.lane.protocol:LaneProtocol")
# Addresses of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
TRUSTED_PROXIES = env.words("TRUSTED_PROXIES")

# --- Limits of strangers ----------------------------------------------------------------------
# Of one address, in each web process. Behind a trusted proxy the client's own address counts.
CONNECTIONS_PER_ADDRESS = env.number("CONNECTIONS_PER_ADDRESS", 500, 1)
REQUESTS_PER_ADDRESS = env.number("REQUESTS_PER_ADDRESS", 10)
HTTP_HEADER_BYTES = env.number("HTTP_HEADER_BYTES", 16384, 1024)
HTTP_HEADER_SECONDS = env.number("HTTP_HEADER_SECONDS", 10, 1)
HTTP_BODY_BYTES = env.number("HTTP_BODY_BYTES", 65536, 1024)
HTTP_ADMIN_BODY_BYTES = env.number("HTTP_ADMIN_BODY_BYTES", 1048576, 1024)
HTTP_BODY_SECONDS = env.number("HTTP_BODY_SECONDS", 30, 1)
HTTP_WRITE_SECONDS = env.number("HTTP_WRITE_SECONDS", 30, 1)
HTTP_PIPELINED = env.number("HTTP_PIPELINED", 8, 1)

# --- Safety -----------------------------------------------------------------------------------
DEBUG = env.flag("DEBUG")
RUNSERVER = "runserver" in sys.argv[1:2]
SECRET_KEY = env.secret_key(DATA_DIR)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
PUSH_KEY = env.push_key(DATA_DIR)
# Whether notifications may go to this machine and its network: for tests alone.
PUSH_TO_PRIVATE_ADDRESSES = env.flag("PUSH_TO_PRIVATE_ADDRESSES")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS") or list(
    dict.fromkeys(["127.0.0.1", "localhost", "[::1]", *([HOST] if HOST[:1].isalnum() else [])])
)
# HTTPS=1: browsers reach the site over https, through a proxy named in TRUSTED_PROXIES.
HTTPS = env.flag("HTTPS")
CSRF_TRUSTED_ORIGINS = env.origins("TRUSTED_ORIGINS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
if HTTPS:
    # Browsers take cookies of such a name only over https, from this very host and for all of it:
    # no other host of the domain can plant one.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD")
# Whether a whole domain goes https-only for good is for its owner to say, not for a check.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# These look for Django's middleware by name; ours extends it (minesite/checks.py).
SILENCED_SYSTEM_CHECKS += ["security.W001", "security.W002", "security.W003"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
METRICS_TOKEN = env.text("METRICS_TOKEN")

# --- Applications -----------------------------------------------------------------------------
# Modes that live in other packages: each is a Django app with a `mode.py` (docs/modes.md).
EXTRA_MODES = env.modes("EXTRA_MODES")
INSTALLED_APPS = [
    # First: its runserver replaces Django's. Only there, for it loads all of Twisted.
    *(["daphne"] if RUNSERVER else []),
    "minesite",
    "accounts",
    "accounts.notifications",
    "games",
    *built_in(),
    *EXTRA_MODES,
    "games.moderation",
    "games.puzzles",
    "games.statistics",
    "games.analyser",
    "lobby",
    "lobby.tournaments.apps.TournamentsConfig",
    "lobby.people",
    "lobby.chat",
    "lobby.admin.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "minesite.middleware.request_id",
    "minesite.quick_middleware.Security",
    "minesite.middleware.StaticFiles",
    "minesite.middleware.measure",
    "minesite.quick_middleware.ContentSecurityPolicy",
    "minesite.quick_middleware.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "minesite.quick_middleware.Common",
    "minesite.quick_middleware.Csrf",
    "minesite.quick_middleware.Authentication",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.ReadableNext",
    "accounts.middleware.GuestsAtTheEntrance",
    "accounts.middleware.StaffOnly",
    "accounts.middleware.LastSeen",
    "minesite.quick_middleware.FrameOptions",
    "games.moderation.devices.RememberDevice",
]

ROOT_URLCONF = "minesite.urls"
ASGI_APPLICATION = "minesite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "minesite.context_processors.site",
            ],
        },
    },
]

# --- Database, Redis --------------------------------------------------------------------------
DATABASES = {"default": database(env.text("DATABASE_URL"), DATA_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Megabytes of DATA_DIR's disk that are left free; at most a tenth of it.
DISK_RESERVE_MB = env.number("DISK_RESERVE_MB", 64)

# Without REDIS_URL, `manage.py up` runs a private Redis on this socket, and every other command
# with the same DATA_DIR finds it there.
_given_redis = env.url("REDIS_URL", "redis", "rediss", "unix")
PRIVATE_REDIS = not _given_redis
REDIS_URL = _given_redis or f"unix://{socket_path(DATA_DIR, 'redis', 'redis.sock')}"
REDIS_PREFIX = env.text("REDIS_PREFIX")
# Where the logs of live matches are; may be a Redis Cluster, which the other parts do not speak.
LIVE_REDIS_URL = env.url("LIVE_REDIS_URL", "redis", "rediss", "unix", "redis+sentinel") or REDIS_URL
# Replicas that must have a move before it is acknowledged.
LIVE_ACK_REPLICAS = env.number("LIVE_ACK_REPLICAS", 0, 0)
# Commands per second of one seat, messages per second of one socket, with the bursts allowed.
LIVE_SEAT_RATE = env.number("LIVE_SEAT_RATE", 20)
LIVE_SEAT_BURST = env.number("LIVE_SEAT_BURST", 60)
LIVE_SOCKET_RATE = env.number("LIVE_SOCKET_RATE", 30)
LIVE_SOCKET_BURST = env.number("LIVE_SOCKET_BURST", 90)
# A socket that sends nothing for so long is closed; clients send a ping every 25 seconds.
LIVE_IDLE_SECONDS = env.number("LIVE_IDLE_SECONDS", 120)

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": f"{REDIS_PREFIX}asgi"},
    }
}
CACHES = {
    "default": {
        "BACKEND": "minesite.shared_cache.SharedRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": f"{REDIS_PREFIX}cache",
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

# --- Worker -----------------------------------------------------------------------------------
# "package.module:coroutine function"; each is `async def run(stop: asyncio.Event) -> None`.
WORKER_JOBS = [
    "games.live.sweeper:run",
    "games.live.archive:run_job",
    "games.analysing.worker:run",
    "games.statistics.worker:run",
    "games.push.sender:run",
    "lobby.endings:run",
    "lobby.house_bots:run",
    "lobby.dealing.pool:run",
    "lobby.text.tcp:run",
    "lobby.matchmaker:run",
    "lobby.tournaments.worker:run",
    "lobby.people.away:run",
    "games.moderation.enforcement:run",
    "lobby.chat.retention:run",
    "games.puzzles.worker:run",
]

# Processes of a worker that judge the moves of finished matches, at the lowest priority.
ANALYSIS_PROCESSES = env.number("ANALYSIS_PROCESSES", 1, 1, 64)

# --- HTTP API ---------------------------------------------------------------------------------
API_REQUESTS_PER_MINUTE = env.number("API_REQUESTS_PER_MINUTE", 300, 1)

# --- Lobby ------------------------------------------------------------------------------------
# After this wait a house bot is offered to a player in a queue.
SOLO_PER_MINUTE = env.number("SOLO_PER_MINUTE", 30, 1)
SOLO_PER_ADDRESS = env.number("SOLO_PER_ADDRESS", 300, 1)
GUESTS_PER_ADDRESS = env.number("GUESTS_PER_ADDRESS", 60, 1)
BOT_OFFER_SECONDS = env.number("BOT_OFFER_SECONDS", 20)
# Chat lines are deleted after so many days, those of open reports once these are closed.
CHAT_DAYS = env.number("CHAT_DAYS", 30, 1)

# --- Accounts ---------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "django.contrib.auth.password_validation.MinimumLengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "accounts.validators.NotOfThisSite",
    )
]
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_VALIDATORS = "accounts.validators.username_validators"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
# Strict: a sign-up with somebody's e-mail address looks like any other, and takes as long.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.adapter.SignUpForm"}
USERSESSIONS_ADAPTER = "accounts.adapter.SessionsAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers offer passkeys on https and on http://localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_TOTP_ISSUER = "minesite"
MFA_TOTP_TOLERANCE = 1
# The admin is closed to staff without a second factor.
STAFF_SECOND_FACTOR = not DEBUG

EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25, 1, 65535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "minesite@localhost")

# An e-mail address or a web address of whoever runs the site; account pages name it.
CONTACT = env.text("CONTACT")

# --- Language, time, files --------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German"), ("fr", "French"), ("es", "Spanish")]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "accounts" / "allauth_locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
# A folder of its own can be read by everybody, and so by a proxy that serves the files.
_static_dir = env.text("STATIC_DIR")
STATIC_ROOT = Path(_static_dir).absolute() if _static_dir else DATA_DIR / "static"
STATIC_IS_PUBLIC = bool(_static_dir)
FILE_UPLOAD_PERMISSIONS = 0o600  # also of collected files
# While one works on the files nothing has to be collected: they come from where they are written.
STATIC_FROM_SOURCE = DEBUG or RUNSERVER
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if STATIC_FROM_SOURCE
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = STATIC_FROM_SOURCE

# --- Logs -------------------------------------------------------------------------------------
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR")
# "json" (a line per event, for machines), "text" (for a terminal), or "auto": text on a terminal.
LOG_FORMAT = env.choice("LOG_FORMAT", "auto", "json", "text")
LOGGING_CONFIG = "minesite.logs.configure"
LOGGING = {"level": LOG_LEVEL, "format": LOG_FORMAT}

# Of a thousand commands of players, how many are followed through the logs, and where their spans
# go: an OpenTelemetry collector, by OTLP over HTTP.
TRACE_PER_MILLE = env.number("TRACE_PER_MILLE", 0, 0, 1000)
OTLP_ENDPOINT = env.url("OTLP_ENDPOINT", "http", "https")
