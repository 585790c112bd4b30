"""The site's settings, with a folder, a database and a Redis of this test process alone."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

# pytest-django reads the settings before any conftest, so the folder is made here.
_folder = tempfile.mkdtemp(prefix="minesite-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
for _name in ("REDIS_URL", "REDIS_PREFIX", "ALLOWED_HOSTS", "SECRET_KEY", "DEBUG", "HTTPS"):
    os.environ.pop(_name, None)
os.environ["DATA_DIR"] = _folder
os.environ.setdefault("LOG_FORMAT", "text")

from minesite.settings import *  # noqa: E402, F403
from minesite.settings import DATA_DIR, DATABASES, MIDDLEWARE  # noqa: E402

# A file, as in production: connections of other threads see the same data.
if "sqlite3" in DATABASES["default"]["ENGINE"]:
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    # Tests need no power-cut safety, and 2 cores thank for it.
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
else:
    DATABASES["default"]["OPTIONS"].pop("pool", None)

ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MIDDLEWARE = ["tests.closing.EndWithRequest", *MIDDLEWARE]
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
# Tests of the admin sign staff in directly; the test of this rule turns it on.
STAFF_SECOND_FACTOR = False
