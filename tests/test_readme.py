"""What README shows was run: its Python blocks are executed, and print what it says they print."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_readme_prints_what_it_shows():
    text = README.read_text()
    blocks = re.findall(r"```python\n(.*?)```\s*(?:```text\n(.*?)```)?", text, flags=re.DOTALL)
    assert len(blocks) >= 2
    namespace: dict[str, object] = {}
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(README), "exec"), namespace)
        if shown:
            assert printed.getvalue().strip() == shown.strip()
