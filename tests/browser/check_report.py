"""Shows the report in Chromium and looks at what came out: run by `make browser`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from chromium import FLAGS, Chromium
from matplotlib import pyplot

import bbc

_DARK = "--blink-settings=preferredColorScheme=0"
_VIEWS = {
    "wide": ("--window-size=1000,2400",),
    "wide-dark": ("--window-size=1000,2400", _DARK),
    "phone": ("--window-size=500,3200",),
    "phone-dark": ("--window-size=500,3200", _DARK),
}
# A notebook has a theme of its own, whatever the system's, and rules for what it shows.
_NOTEBOOK = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>notebook</title><style>
body {{ margin: 0; padding: 1rem; color: {ink}; background: {paper};
  font: 14px/20px system-ui, sans-serif; }}
.output h2 {{ font-size: 2.5em; color: {ink}; }}
.output table {{ border: 2px solid; margin: auto; font-size: 12px; }}
.output td, .output th {{ text-align: right; padding: 2em; }}
</style><body><div class="output">{shown}</div>
<div class="output" id="other"><h2>Other output</h2>
<table class="numbers"><tr><td>1</td></tr></table>
<blockquote class="headline">A quotation.</blockquote>
<figure><figcaption>2</figcaption></figure></div>
</body></html>"""
_THEMES = {"": ("#000000de", "#ffffff"), "-dark": ("#ffffffde", "#111111")}
_OTHER = """[...document.querySelectorAll("body, #other, #other *")].map(
  (each) => JSON.stringify(Object.fromEntries([...getComputedStyle(each)]
    .filter((name) => !/height|size|origin|inset|block|^(top|bottom)$/.test(name))
    .map((name) => [name, getComputedStyle(each)[name]]))))"""


def chromium(page: Path, *options: str) -> None:
    """Open the page once."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", *options, page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)


def check(picture: Path, dark: bool) -> None:
    """Something was drawn, on the right background, and nothing sticks out at the right."""
    pixels = pyplot.imread(picture)[..., :3]
    background = pixels[2, 2]
    assert (background.mean() < 0.3) == dark, f"{picture}: background {background}"
    drawn = np.abs(pixels - background).max(axis=2) > 0.05
    assert 0.02 < drawn.mean() < 0.6, f"{picture}: {drawn.mean():.3f} of it is drawn"
    assert not drawn[:, -8:].any(), f"{picture}: something sticks out at the right"


def check_in_notebook(shown: str, name: str, folder: Path) -> None:
    """Show a report within another page: in that page's theme, and nothing else changes."""
    page = (folder / "notebook.html").resolve()
    with Chromium() as browser:
        for theme, (ink, paper) in _THEMES.items():
            found = []
            for part in ("", shown):
                text = _NOTEBOOK.format(ink=ink, paper=paper, shown=part)
                page.write_text(text, encoding="utf-8")
                browser.open(page)
                found.append(browser.value(_OTHER))
            assert len(found[0]) > 5, found
            assert found[0] == found[1], f"{name}{theme}: the report changes other outputs"
            for screen, width in (("", 1000), ("-phone", 420)):
                picture = (folder / f"{name}{screen}{theme}.png").resolve()
                browser.shot(picture, width=width)  # the system's theme is the light one
                check(picture, dark=bool(theme))
        assert browser.complaints() == []


def main(folder: Path) -> None:
    """Write the report, show it in every way, look at the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    simulated = bbc.simulate.accuracy(80, 30, random_state=2)
    names = [f"classifier__regularisation_strength={2.0**i:g}" for i in range(30)]
    estimate = bbc.correct(
        simulated.y, simulated.predictions, metric="accuracy", names=names, random_state=1
    )
    page = bbc.report(estimate, folder / "report.html").resolve()
    for name, options in _VIEWS.items():
        picture = (folder / f"{name}.png").resolve()
        chromium(page, f"--screenshot={picture}", *options)
        check(picture, dark=name.endswith("dark"))
    printed = (folder / "report.pdf").resolve()
    chromium(page, f"--print-to-pdf={printed}", "--no-pdf-header-footer")
    assert printed.read_bytes().startswith(b"%PDF"), printed
    risks = bbc.simulate.auc(120, 30, random_state=1)
    probabilities = 1 / (1 + np.exp(-risks.predictions))
    c = bbc.correct(risks.y, probabilities, metric="log_loss", random_state=1)
    check_in_notebook(bbc.report(estimate).html, "notebook", folder)
    check_in_notebook(bbc.report(c, kind="clinical").html, "notebook-clinical", folder)
    print(f"The report was shown in {len(_VIEWS)} ways, printed, and in notebooks; see {folder}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
