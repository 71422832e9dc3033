"""Directives that run what a page shows, so that no page can show what does not run.

``{run}`` runs Python and shows it with what it prints. The blocks of a page share their names;
`benches` is the folder of measurements, and `table` prints columns of a file in it.
``{shell}`` runs command lines, one by one. Both run in the folder of the site's extra files, so
that a page can link to what it writes. A block that fails fails the build.
"""

import contextlib
import html
import io
import os
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import measured
import pandas as pd
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_FIGURES = "_generated/figures"


def table(source: str | pd.DataFrame, columns: dict[str, str], query: str = "") -> None:
    """Print a table of a page: by its titles, the columns, such as "bias:+.3f" with its format."""
    frame = pd.read_csv(measured.BENCHES / source) if isinstance(source, str) else source
    asked = [column.partition(":") for column in columns.values()]
    lines = (frame.query(query) if query else frame).to_dict("records")
    rows = ([format(line[name], form) for name, _, form in asked] for line in lines)
    measured.table(" | ".join(columns), rows)


class Run(SphinxDirective):
    """Run Python; show the code, what it prints, and the figure that it draws."""

    has_content = True
    option_spec = {  # noqa: RUF012
        "hide-code": directives.flag,
        "hide-output": directives.flag,
        "markdown": directives.flag,  # what is printed is Markdown, and becomes part of the page
        "figure": directives.unchanged_required,  # what the picture shows, in words
        "caption": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Run the block."""
        code = "\n".join(self.content)
        printed = self._printed(code)
        shown: list[nodes.Node] = []
        if "hide-code" not in self.options:
            shown.append(nodes.literal_block(code, code, language="python"))
        if printed and "markdown" in self.options:
            source = self.get_source_info()[0]
            part = nodes.container()
            self.state.nested_parse(
                StringList(printed.splitlines(), source), 0, part, match_titles=True
            )
            shown += part.children
        elif printed and "hide-output" not in self.options:
            shown.append(nodes.literal_block(printed, printed, language="text", classes=["output"]))
        if "figure" in self.options:
            shown.append(self._figure())
        return shown

    def _printed(self, code: str) -> str:
        source, line = self.get_source_info()
        known = {"runnable_page": source, "benches": measured.BENCHES, "table": table}
        names = self.env.temp_data.setdefault("runnable", known)
        out = io.StringIO()
        try:
            # The line numbers of errors are those of the page.
            compiled = compile("\n" * line + code, source, "exec")
            with (
                warnings.catch_warnings(),
                contextlib.redirect_stdout(out),
                contextlib.chdir(self.config.runnable_folder),
            ):
                warnings.simplefilter("error")
                exec(compiled, names)
        except Exception:
            raise self.error(traceback.format_exc()) from None
        return out.getvalue().rstrip()

    def _figure(self) -> nodes.Node:
        from matplotlib import pyplot

        count = self.env.temp_data["figures"] = self.env.temp_data.get("figures", 0) + 1
        name = f"{self.env.docname.replace('/', '-')}-{count}.png"
        folder = Path(self.env.srcdir) / _FIGURES
        folder.mkdir(parents=True, exist_ok=True)
        pyplot.gcf().savefig(folder / name, dpi=160)
        pyplot.close("all")
        alt = html.unescape(self.options["figure"])
        figure = nodes.figure("", nodes.image(uri=f"/{_FIGURES}/{name}", alt=alt))
        if "caption" in self.options:
            figure += nodes.caption("", self.options["caption"])
        return figure


class Shell(SphinxDirective):
    """Run command lines; show each with what it writes."""

    has_content = True
    option_spec = {"fails": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Run the lines."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = os.environ | {"PATH": path, "COLUMNS": "80"}
        shown = []
        for command in "\n".join(self.content).split("\n$ "):
            line = command.removeprefix("$ ")
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", line],
                cwd=self.config.runnable_folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if (done.returncode != 0) != ("fails" in self.options):
                raise self.error(f"{line}: exit code {done.returncode}\n{done.stdout}")
            shown.append(f"$ {line}\n{done.stdout}".rstrip())
        text = "\n".join(shown)
        return [nodes.literal_block(text, text, language="console")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_config_value("runnable_folder", None, "env", str)
    app.add_directive("run", Run)
    app.add_directive("shell", Shell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
