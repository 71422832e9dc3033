"""Prose writes decimals in one way, 0.05: `python tests/test_prose.py` mends what does not."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")) if path.name != "CHANGELOG.md"]
)
# Code and links are left alone, and so is the .632 bootstrap, which is a name.
APART = re.compile(r"(^```.*?^```|`[^`\n]*`|\]\([^)\n]*\))", re.MULTILINE | re.DOTALL)
BARE = re.compile(r"(?<![\w.])\.(?=\d)(?!632)")


def mended(text):
    """The text with a zero before each decimal point."""
    parts = APART.split(text)
    parts[::2] = [BARE.sub("0.", part) for part in parts[::2]]
    return "".join(parts)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_decimals_have_a_zero(page):
    text = page.read_text(encoding="utf-8")
    lines = zip(mended(text).splitlines(), text.splitlines(), strict=True)
    assert [found for wanted, found in lines if wanted != found] == []


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(mended(page.read_text(encoding="utf-8")), encoding="utf-8")
