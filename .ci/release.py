"""Check what `make release` built, in build/release, and list what is left before publishing.

With --ready, what is left is an error: releases are tagged only when nothing is.
"""

import argparse
import hashlib
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "release"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
# What each archive is called, its largest size in MB, what it must have, and what it must not.
NOTHING_BUILT = r"\.(so|o|pyc|dll|dylib)$|(^|/)(build|dist|\.venv|__pycache__|\.git)/"
ARCHIVES = {
    rf"bbc_cv-{VERSION}\.tar\.gz": (
        3.0,
        ("CMakeLists.txt", "PKG-INFO", "LICENSE", "cpp/src/correction.cpp", "tests/test_supply.py"),
        NOTHING_BUILT + "|(^|/)r-bridge/",
    ),
    rf"bbc_cv-{VERSION}-cp\d+-cp\d+t?-(manylinux|musllinux|macosx_|win_)[\w.]+\.whl": (
        3.0,
        (
            *("bbc/__init__.py", "bbc/__init__.pyi", "bbc/_core.pyi", "bbc/py.typed"),
            *("licenses/LICENSE", "licenses/THIRD_PARTY.md"),
        ),
        r"(^|/)(tests|include|cpp|benches)/|\.(hpp|h|a|pyc)$",
    ),
    rf"bbc_cv_r-{VERSION}\.tar\.gz": (0.2, ("src/bbc_r/learners.py",), NOTHING_BUILT),
    rf"bbc_cv_r-{VERSION}-py3-none-any\.whl": (0.2, ("bbc_r/py.typed",), NOTHING_BUILT),
    # CRAN's limit is 5 MB.
    rf"bbcr_{VERSION}\.tar\.gz": (
        2.0,
        ("DESCRIPTION", "NAMESPACE", "src/kernel/src/correction.cpp", "man/bbc_correct.Rd"),
        NOTHING_BUILT + r"|src/kernel_\w+\.cpp$",
    ),
}


def members(archive: Path) -> list[str]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.namelist()
    with tarfile.open(archive) as packed:
        return packed.getnames()


def defects(archive: Path) -> list[str]:
    """What is wrong with one archive."""
    kind = next((name for name in ARCHIVES if re.fullmatch(name, archive.name)), None)
    if kind is None:
        return [f"{archive.name}: not a file of release {VERSION}"]
    largest, needed, forbidden = ARCHIVES[kind]
    names, size = members(archive), archive.stat().st_size / 1e6
    processor = re.search(r"linux_[\d_]+_(\w+)\.whl$", archive.name)
    if processor:  # else Python does not find the module
        needed += (f"-{processor[1]}-linux-{'musl' if 'musllinux' in archive.name else 'gnu'}.so",)
    lacking = [end for end in needed if not any(name.endswith(end) for name in names)]
    extra = [name for name in names if re.search(forbidden, name)]
    return [
        *([f"{archive.name}: {size:.1f} MB, more than {largest}"] if size > largest else []),
        *(f"{archive.name}: {name} is missing" for name in lacking),
        *(f"{archive.name}: {name} must not be in it" for name in extra),
    ]


def left_to_do() -> list[str]:
    """What only a maintainer can do, by the files in which it is done."""
    signs = {
        "CHANGELOG.md": (f"## {VERSION} (unreleased)", "write the day of the release"),
        "pyproject.toml": ("example.org", "make address URL=https://... EMAIL=..."),
        "r-bridge/bbcr/DESCRIPTION": (
            "The bbc developers",
            "write the maintainer's name; then run roxygen",
        ),
    }
    return [
        f"{file}: {action}"
        for file, (sign, action) in signs.items()
        if sign in (ROOT / file).read_text(encoding="utf-8")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ready", action="store_true", help="fail if something is left to do")
    ready = parser.parse_args().ready
    archives = sorted(BUILT.glob("*.*"))
    wrong = [defect for archive in archives for defect in defects(archive)]
    wrong += [
        f"{name} was not built"
        for name in ARCHIVES
        if not any(re.fullmatch(name, archive.name) for archive in archives)
    ]
    if wrong:
        sys.exit("\n".join(wrong))
    for archive in archives:
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        print(f"{digest}  {archive.name}  {archive.stat().st_size / 1e6:.2f} MB")
    todo = left_to_do()
    print("Nothing was published. Before it is:" if todo else "Nothing was published.")
    print("\n".join(f"- {one}" for one in todo))
    if ready and todo:
        sys.exit(1)


if __name__ == "__main__":
    main()
