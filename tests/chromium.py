"""Finds a Chromium for the browser tests, or installs one: `python -m tests.chromium`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Without a user interface of its own: a new context takes an eighth of the time, and closes. With a
# whole Chromium on a busy machine one in some thousands never does.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A whole Chromium would load two pages for its own address bar with every context. It obeys the
    # last such list alone, so those of Playwright's that matter here are in it again.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,HttpsUpgrades"
    ",HttpsFirstBalancedModeAutoEnable,PaintHolding,ThirdPartyStoragePartitioning,OptimizationHints"
    ",DestroyProfileOnBrowserClose,AvoidUnnecessaryBeforeUnloadCheckSync,MediaRouter,LensOverlay",
]


def find(names: tuple[str, ...] = SHELLS + WHOLE) -> str | None:
    """CHROMIUM, one of these names on PATH, or what Playwright installed."""
    if named := os.environ.get("CHROMIUM"):
        return named
    for name in names:
        if (path := shutil.which(name)) and runs(path):
            return path
    # Asked in a process of its own: Playwright's loop must not linger in ours.
    code = (
        "from playwright.sync_api import sync_playwright as start\n"
        "with start() as playwright: print(playwright.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if not (printed := answer.stdout.strip()):
        return None
    # Playwright tells of the whole one; its shell is in a folder beside it.
    whole = Path(printed)
    found = sorted(whole.parents[2].glob("chromium_headless_shell-*/*/*headless*shell"))
    if WHOLE[0] in names:
        found.append(whole)
    return next((str(path) for path in found if runs(str(path))), None)


def runs(path: str) -> bool:
    """Whether it starts at all: one that was only downloaded may lack libraries of the system, and
    some systems have a script by that name that tells to install another package."""
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def install() -> None:
    """`playwright install`, else apt when we are root."""
    playwright = [sys.executable, "-m", "playwright", "install"]
    attempts = [[*playwright, "--only-shell", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        patient = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
        install = [*patient, "install", "-y"]
        attempts += [[*patient, "update"], [*install, SHELLS[0]]]
        if not find(WHOLE):
            attempts.append([*install, WHOLE[0]])
    silent = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in attempts:
        print("No Chromium shell yet:", " ".join(command), flush=True)
        try:
            subprocess.run(command, timeout=600, check=False, env=silent, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(error)
        if find(SHELLS):
            return


def main() -> None:
    if not find(SHELLS):
        install()
    if not find():
        print("No Chromium was found or installed: the browser tests will be skipped.")


if __name__ == "__main__":
    main()
