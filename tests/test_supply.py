"""What bbc needs: the bounds are those that are tested, and licences are named."""

import csv
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("plots", "report", "tables", "dask", "optuna")


def bounds(requirements):
    """The oldest version that is allowed of each package."""
    pairs = (re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", one) for one in requirements)
    return {found[1]: found[2] for found in pairs}


NEEDED = bounds(PROJECT["dependencies"])
OPTIONAL = {
    name: bound
    for extra in EXTRAS
    for name, bound in bounds(PROJECT["optional-dependencies"][extra]).items()
}


def test_users_get_all_extras():
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert everything == f"bbc-cv[{','.join(EXTRAS)}]"


@pytest.mark.parametrize(("package", "bound"), (NEEDED | OPTIONAL).items())
def test_the_oldest_version_is_the_one_that_is_tested(package, bound):
    """`make minimum` installs tests/minimum.txt."""
    pinned = re.search(rf"^{package}==(\S+)$", (ROOT / "tests" / "minimum.txt").read_text(), re.M)
    assert pinned[1].startswith(bound)


@pytest.mark.parametrize("package", [*NEEDED, *OPTIONAL, "pybind11"])
def test_the_licence_is_listed(package):
    tables = (ROOT / "THIRD_PARTY.md").read_text().split("## pybind11")[0]
    assert re.search(rf"^\|.*\b{package}\b.*\|.*\|", tables, re.M)


def test_what_is_needed_is_explained():
    page = (ROOT / "docs" / "stable.md").read_text()
    rows = dict(re.findall(r"^\| (\S+) \| ([\d.]+) \| \w", page, re.M))
    assert rows.pop("Python") == PROJECT["requires-python"].removeprefix(">=")
    assert rows == NEEDED


def passed_wheels():
    """The rows of the table of wheels that pass their tests."""
    with (ROOT / "benches" / "portable" / "wheels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if re.match(r"\d+ passed", row["tests"])]
    assert rows
    return rows


def test_only_what_is_tested_is_claimed():
    """The classifiers name the Pythons whose wheels pass their tests, no more and no less."""
    tested = {row["wheel"].replace("cp3", "3.") for row in passed_wheels()}
    prefix = "Programming Language :: Python :: "
    claimed = [one.removeprefix(prefix) for one in PROJECT["classifiers"] if prefix in one]
    with_lock = sorted(version for version in tested if not version.endswith("t"))
    assert claimed == ["3", *with_lock]
    systems = [one for one in PROJECT["classifiers"] if one.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]
    install = (ROOT / "README.md").read_text().split("## Install\n")[1].split("\n## ")[0]
    for version in with_lock:
        assert re.search(rf"Python\s[\d., and]*{version}", install)


def test_the_page_names_the_wheels_of_the_table():
    page = (ROOT / "docs" / "stable.md").read_text()
    listed = re.findall(r"^\| (3\.\d+t?) \| `(\w+)` \| .* \| (.*) \|$", page, re.M)
    table = [(row["wheel"], row["platform"], row["tests"]) for row in passed_wheels()]
    assert [(version.replace("3.", "cp3"), *rest) for version, *rest in listed] == table
