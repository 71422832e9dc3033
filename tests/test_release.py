"""A release says the same of itself everywhere, and its checks find what is wrong with it."""

import importlib.util
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import bbc
from bbc import _core

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# Jobs that only hand on what others made.
CARRIERS = {"deploy", "attest", "publish"}


ADDRESSED = (
    "pyproject.toml",
    "r-bridge/bbcr/DESCRIPTION",
    "r-bridge/bbcr/man/bbcr-package.Rd",
    "r-bridge/packages.json",
)


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("CITATION.cff", r"^version: (\S+)$"),
        ("recipe/recipe.yaml", r'^  version: "(\S+)"$'),
        ("r-bridge/bbcr/DESCRIPTION", r"^Version: (\S+)$"),
        ("r-bridge/bbcr/NEWS.md", r"^# bbcr (\S+)$"),
        ("r-bridge/python/src/bbc_r/__init__.py", r'^__version__ = "(\S+)"$'),
        ("CHANGELOG.md", r"^## (\S+)"),
    ],
)
def test_the_version_is_that_of_pyproject(file, pattern):
    assert re.search(pattern, (ROOT / file).read_text(), re.M)[1] == PROJECT["version"]


def test_the_kernel_has_the_version_of_the_package():
    """CMake reads it in pyproject.toml, where no other file writes it for CMake."""
    assert _core.__version__ == bbc.__version__ == PROJECT["version"]
    assert PROJECT["version"] not in (ROOT / "CMakeLists.txt").read_text()
    others = (ROOT / "r-bridge" / "python" / "pyproject.toml").read_text()
    assert 'attr = "bbc_r.__version__"' in others
    assert PROJECT["version"] not in others


def test_the_address_is_the_same_wherever_it_is_written():
    """R reads its own description, from which roxygen writes a manual page."""
    address = PROJECT["urls"]["Homepage"]
    listed = subprocess.run(
        ["git", "grep", "-lF", address], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert listed.stdout.split() == list(ADDRESSED)
    description = (ROOT / "r-bridge/bbcr/DESCRIPTION").read_text()
    assert f"URL: {address}\nBugReports: {address}/issues\n" in description


def test_the_address_is_written_by_one_command(tmp_path):
    for file in ("Makefile", *ADDRESSED):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    new = ("https://other.example/x", "a@other.example")
    subprocess.run(
        ["make", "address", f"URL={new[0]}", f"EMAIL={new[1]}"], cwd=tmp_path, check=True
    )
    for file in ADDRESSED:
        text = (tmp_path / file).read_text()
        assert new[0] in text
        assert "example.org" not in text
    assert f'email = "{new[1]}"' in (tmp_path / "r-bridge/bbcr/DESCRIPTION").read_text()


def test_the_recipe_needs_what_the_package_needs():
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text()
    needed = recipe.split("  run:\n")[1].split("\n\n")[0]
    found = [line.strip("- ").replace(" ", "") for line in needed.splitlines()]
    assert found == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]


def jobs(workflow):
    """Each job of a workflow with its text."""
    body = workflow.read_text().split("\njobs:\n")[1]
    parts = re.split(r"^  ([\w-]+):\n", body, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(workflow):
    uses = re.findall(r"uses: (.*)", workflow.read_text())
    assert uses
    for one in uses:
        assert re.fullmatch(r"[\w-]+/[\w./-]+@[0-9a-f]{40}  # v\d+(\.\d+\.\d+)?", one), one


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_makes_what_continuous_integration_makes(workflow):
    """Apart from the release, from wheels, which need other systems, and from what is slow."""
    slow = "make sanitize docs browser newcomer nightly"
    integration = (ROOT / ".ci" / "run").read_text() + slow + " wheels cibuildwheel release"
    made = {
        target for line in re.findall(r"make (.*)", integration) for target in line.split()
    } | set(re.findall(r"timed-([\w-]+)", (ROOT / "Makefile").read_text()))  # their parts
    for name, text in jobs(workflow).items():
        targets = re.findall(r"run: (?:sudo )?make ([\w-]+)", text)
        assert bool(targets) != (name in CARRIERS), name
        assert set(targets) <= made, name


def release_checks():
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def packed(folder, name, contents):
    with tarfile.open(folder / name, "w:gz") as archive:
        for path, size in contents.items():
            member = tarfile.TarInfo(path)
            member.size = size
            archive.addfile(member, io.BytesIO(bytes(size)))
    return folder / name


@pytest.mark.parametrize(
    ("name", "contents", "complaint"),
    [
        ("bbc_cv_r-{}.tar.gz", {"x/src/bbc_r/learners.py": 9}, None),
        ("bbc_cv_r-{}.tar.gz", {"x/PKG-INFO": 9}, "src/bbc_r/learners.py is missing"),
        (
            "bbc_cv_r-{}.tar.gz",
            {"x/src/bbc_r/learners.py": 9, "x/a.so": 9},
            "x/a.so must not be in it",
        ),
        ("bbc_cv_r-0.0.9.tar.gz", {"x/src/bbc_r/learners.py": 9}, "not a file of release"),
    ],
)
def test_the_checks_find_what_is_wrong(tmp_path, name, contents, complaint):
    archive = packed(tmp_path, name.format(PROJECT["version"]), contents)
    found = release_checks().defects(archive)
    assert len(found) == (complaint is not None)
    assert all(complaint in one for one in found)


@pytest.mark.parametrize(
    ("platform", "module", "complaint"),
    [
        ("manylinux2014_aarch64.manylinux_2_17_aarch64", "313-aarch64-linux-gnu", None),
        ("manylinux2014_aarch64.manylinux_2_17_aarch64", "313-x86_64-linux-gnu", "-aarch64-linux"),
        ("musllinux_1_2_x86_64", "313-x86_64-linux-gnu", "-x86_64-linux-musl.so is missing"),
        ("win_amd64", "313-win_amd64", None),
        ("linux_x86_64", "313-x86_64-linux-gnu", "not a file of release"),
    ],
)
def test_the_module_of_a_wheel_is_for_its_system(tmp_path, platform, module, complaint):
    path = tmp_path / f"bbc_cv-{PROJECT['version']}-cp313-cp313-{platform}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        stubs = ("__init__.pyi", "_core.pyi", "py.typed")
        for name in ("__init__.py", *stubs, f"_core.cpython-{module}.so"):
            wheel.writestr(f"bbc/{name}", "")
        for name in ("LICENSE", "THIRD_PARTY.md"):
            wheel.writestr(f"bbc_cv.dist-info/licenses/{name}", "")
    found = release_checks().defects(path)
    assert len(found) == (complaint is not None)
    assert all(complaint in one for one in found)


def test_archives_that_are_too_large_are_found(tmp_path, monkeypatch):
    checks = release_checks()
    archive = packed(
        tmp_path, f"bbc_cv_r-{PROJECT['version']}.tar.gz", {"src/bbc_r/learners.py": 9}
    )
    monkeypatch.setattr(
        checks, "ARCHIVES", {kind: (0.0, *rest) for kind, (_, *rest) in checks.ARCHIVES.items()}
    )
    (found,) = checks.defects(archive)
    assert "more than 0.0" in found


def test_what_is_left_to_do_is_said():
    said = release_checks().left_to_do()
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert any("CHANGELOG.md" in one for one in said) == ("(unreleased)" in changelog)


def test_nothing_built_is_an_error(tmp_path, monkeypatch):
    checks = release_checks()
    monkeypatch.setattr(checks, "BUILT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release.py"])
    with pytest.raises(SystemExit, match="was not built"):
        checks.main()
