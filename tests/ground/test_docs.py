"""Every setting is documented with its true default, and every documented setting exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.ground.test_settings import run
from tests.running_site import ROOT

READERS = {
    *("text", "number", "flag", "choice", "words", "modes", "url", "origins"),
    *("data_dir", "secret_key", "push_key"),
}
WITHOUT_DEFAULT = {"words", "url", "origins"}
ROW = re.compile(r"^\| `(?P<name>[A-Z_]+)` \| (?:`(?P<default>[^`]*)`)? ?\|", re.MULTILINE)
# Read by these functions themselves, not named at the call.
IMPLIED = {
    "data_dir": ("DATA_DIR", "./var"),
    "secret_key": ("SECRET_KEY", ""),
    "push_key": ("PUSH_KEY", ""),
}


def read_by_settings() -> dict[str, str]:
    """Each variable that minesite/settings.py reads, with its default as text."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse((ROOT / "minesite" / "settings.py").read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if ast.unparse(node.func.value) != "env" or node.func.attr not in READERS:
            continue
        if node.func.attr in IMPLIED:
            name, default = IMPLIED[node.func.attr]
        else:
            values = [ast.literal_eval(argument) for argument in node.args[:2]]
            name = values[0]
            has_default = len(values) > 1 and node.func.attr not in WITHOUT_DEFAULT
            default = str(values[1]) if has_default else ""
            if node.func.attr == "flag":
                default = "1" if default == "True" else "0"
        found[name] = default
    return found


def read_by_make() -> dict[str, str]:
    return dict(
        re.findall(r"^([A-Z_]+) *\?= *(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    )


def documented() -> dict[str, str]:
    text = (ROOT / "docs" / "configuration.md").read_text()
    return {row["name"]: row["default"] or "" for row in ROW.finditer(text)}


def test_every_variable_is_documented_with_its_default():
    real = {**read_by_settings(), **read_by_make(), "CHROMIUM": ""}
    assert len(real) > 30
    assert documented() == real


def test_every_command_of_ours_is_documented():
    text = "\n".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")])
    commands = {
        path.stem for path in ROOT.glob("*/management/commands/*.py") if path.stem != "__init__"
    }
    missing = sorted(name for name in commands if f"manage.py {name}" not in text)
    assert missing == []


def test_every_target_of_make_is_in_its_help_or_part_of_one():
    makefile = (ROOT / "Makefile").read_text()
    told = re.findall(r'@echo "make (\w+)', makefile)
    assert {"run", "test", "check", "bench", "lock", "screenshots"} <= set(told)


def example_environment() -> dict[str, str]:
    lines = (ROOT / "deploy" / "environment.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_example_environment_is_clean_and_names_real_variables(tmp_path: Path):
    example = example_environment()
    assert set(example) <= set(documented())
    example.pop("DATA_DIR")
    checked = run(
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **example
    )
    assert checked.returncode == 0, checked.stderr


def test_deployed_commands_and_variables_exist():
    text = "".join(
        path.read_text() for path in (ROOT / "deploy").iterdir() if path.suffix != ".conf"
    )
    for name in re.findall(r"manage\.py(?:\", \"| )(\w+)", text):
        assert (ROOT / "minesite" / "management" / "commands" / f"{name}.py").exists(), name
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    block = compose.split("environment: &environment", 1)[1].split("volumes:", 1)[0]
    assert set(re.findall(r"^    ([A-Z_]+):", block, re.MULTILINE)) <= set(documented())
