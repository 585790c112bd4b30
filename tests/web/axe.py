"""axe-core in the page: what it finds serious. Installed from npm into tests/web/node_modules when
it is first needed."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "node_modules" / "axe-core" / "axe.min.js"


@cache
def source() -> str:
    """The script; empty when it can't be had."""
    if not SOURCE.exists() and shutil.which("npm"):
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=HERE, capture_output=True, timeout=100, check=False)
    return SOURCE.read_text() if SOURCE.exists() else ""


ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
COLOURS = ["color-contrast"]
"""The rules whose result another theme can change."""


SETTLED = """() => !document.getAnimations().some((one) =>
  one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity)"""
"""Nothing fades in or changes colour any more; what moves for ever doesn't count."""


def serious_violations(page: Page, rules: list[str] = ALL_RULES) -> list[str]:
    """Each serious or critical violation of WCAG 2 A and AA, with where it is."""
    script = source()
    if not script:
        pytest.skip("axe-core is not here: npm is missing or has no packages")
    page.wait_for_function(SETTLED)
    page.evaluate(script)  # through the debugger, past the page's policy
    found = page.evaluate(
        "rules => axe.run(document, {resultTypes: ['violations'], runOnly: rules})", rules
    )
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
