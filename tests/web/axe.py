"""axe-core in the page: what it finds serious. `make test` installs it from npm."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

SOURCE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@cache
def source() -> str:
    """The script; empty where npm is missing."""
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
        pytest.skip("axe-core is not here: npm is missing, or had no packages")
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
