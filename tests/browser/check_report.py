"""Shows the report in Chromium and looks at what came out: run by `make browser`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from chromium import FLAGS
from matplotlib import pyplot

import bbc

_DARK = "--blink-settings=preferredColorScheme=0"
_VIEWS = {
    "wide": ("--window-size=1000,2400",),
    "wide-dark": ("--window-size=1000,2400", _DARK),
    "phone": ("--window-size=500,3200",),
    "phone-dark": ("--window-size=500,3200", _DARK),
}


def chromium(page: Path, *options: str) -> None:
    """Open the page once."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", *options, page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def check(picture: Path, dark: bool) -> None:
    """Something was drawn, on the right background, and nothing sticks out at the right."""
    pixels = pyplot.imread(picture)[..., :3]
    background = pixels[2, 2]
    assert (background.mean() < 0.3) == dark, f"{picture}: background {background}"
    drawn = np.abs(pixels - background).max(axis=2) > 0.05
    assert 0.02 < drawn.mean() < 0.6, f"{picture}: {drawn.mean():.3f} of it is drawn"
    assert not drawn[:, -8:].any(), f"{picture}: something sticks out at the right"


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
    print(f"The report was shown in {len(_VIEWS)} ways and printed; see {folder}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
