"""What the command line understands."""

import argparse
import textwrap
from pathlib import Path
from typing import Any

from .. import metrics
from ._compare import run_compare
from ._completion import SHELLS, run_completion
from ._correct import run_correct
from ._demo import run_demo
from ._lists import run_metrics, run_protocols
from ._show import run_show
from ._simulate import GENERATORS, run_simulate

_EXAMPLES = """\
examples:
  bbc correct predictions.csv --truth y --metric roc_auc
  bbc compare predictions.csv --truth y --folds fold --metric accuracy
  bbc simulate accuracy --n-rows 80 --n-configurations 200 | bbc correct - --truth y --folds fold \\
      --metric accuracy
  bbc show run.bbc
"""
_CORRECT_EXAMPLES = """\
A wide table has one row per row and one column per configuration; every column that no option
names is a configuration, and refused if its name (fold, id, ...) or its values (0 to n - 1) say
otherwise. A long table (--long) has one row per prediction, with columns row, configuration and
prediction.

examples:
  bbc correct predictions.csv --truth y --metric roc_auc
  bbc correct predictions.parquet --truth y --metric accuracy --groups patient --seed 1
  bbc correct predictions.csv --truth y --folds fold --metric roc_auc --method bbc-f
  bbc correct long.csv --long --truth y --folds fold --repeat repeat --metric neg_log_loss
  bbc correct times.csv --truth event --truth time --metric concordance_index --ignore id
  cat predictions.csv | bbc correct - --truth y --metric f1 --json > result.json
"""
_COMPARE_EXAMPLES = """\
examples:
  bbc compare predictions.csv --truth y --metric roc_auc
  bbc compare predictions.csv --truth y --folds fold --metric roc_auc --json
"""
_SIMULATE_EXAMPLES = """\
examples:
  bbc simulate accuracy --n-rows 80 --n-configurations 200 --seed 1 > simulated.csv
  bbc simulate auc --n-rows 100 --n-configurations 50 --output simulated.csv
"""
_SHOW_EXAMPLES = """\
examples:
  bbc show run.bbc
  bbc show run.bbc --metric roc_auc --json
  bbc show result.json --html report.html
"""
_COMPLETION_EXAMPLES = """\
examples:
  eval "$(bbc completion bash)"          # in ~/.bashrc
  eval "$(bbc completion zsh)"           # in ~/.zshrc, after compinit
  bbc completion fish > ~/.config/fish/completions/bbc.fish
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands; each sets `run`."""
    parser = argparse.ArgumentParser(
        prog="bbc",
        description="Honest performance of tuned models.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (
        _add_correct,
        _add_compare,
        _add_lists,
        _add_simulate,
        _add_demo,
        _add_show,
        _add_completion,
    ):
        add(commands)
    parser.set_defaults(parser=parser)
    return parser


class _Version(argparse.Action):
    """Prints the version; it is looked up only then."""

    def __init__(self, option_strings: list[str], dest: str, help: str) -> None:  # noqa: A002
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        from .. import __version__

        parser.exit(message=f"bbc {__version__}\n")


def _command(
    commands: Any, name: str, run: Any, summary: str, description: str, examples: str = ""
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=textwrap.fill(description, 80),
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, own_parser=parser)
    return parser


def _add_correct(commands: Any) -> None:
    correct = _command(
        commands,
        "correct",
        run_correct,
        "correct the winner's score for having been selected",
        "Corrects the winner's performance in a table of out-of-sample predictions for having "
        "been selected, with a confidence interval. No model is trained.",
        _CORRECT_EXAMPLES,
    )
    _add_table(correct)
    _add_number_options(correct)
    _add_choices(correct)
    _add_output(correct)


def _add_compare(commands: Any) -> None:
    compare = _command(
        commands,
        "compare",
        run_compare,
        "all methods side by side on one table",
        "Applies every correction and, for AUC, every bound that the table allows.",
        _COMPARE_EXAMPLES,
    )
    _add_table(compare)
    _add_number_options(compare)
    _add_json(compare)


def _add_lists(commands: Any) -> None:
    _command(
        commands,
        "protocols",
        run_protocols,
        "what the protocols do and cost",
        "Lists the protocols, the models that each trains (C configurations, K folds, R repeats), "
        "and whether it gives an interval.",
    )
    listed = _command(
        commands,
        "metrics",
        run_metrics,
        "the metrics that have a name",
        "Lists the metrics with their direction and the predictions that they take.",
    )
    _add_json(listed)


def _add_simulate(commands: Any) -> None:
    simulate = _command(
        commands,
        "simulate",
        run_simulate,
        "predictions whose true performance is known",
        "Writes a CSV table of simulated out-of-sample predictions with the columns y (event and "
        "time for survival) and fold. The true performance of the best configuration goes to "
        "standard error.",
        _SIMULATE_EXAMPLES,
    )
    simulate.add_argument("generator", choices=GENERATORS, help="what kind of predictions")
    simulate.add_argument(
        "--n-rows", type=int, default=100, metavar="N", help="default: %(default)s"
    )
    simulate.add_argument(
        "--n-configurations", type=int, default=50, metavar="N", help="default: %(default)s"
    )
    simulate.add_argument(
        "--correlation",
        type=float,
        default=0.0,
        metavar="R",
        help="between configurations, 0 to 1 (default: 0)",
    )
    simulate.add_argument("--seed", type=int, metavar="N", help="the same seed, the same table")
    simulate.add_argument(
        "--output", type=Path, metavar="FILE", help="CSV file (default: standard output)"
    )


def _add_demo(commands: Any) -> None:
    demo = _command(
        commands,
        "demo",
        run_demo,
        "tune 114 configurations on real data and show how honest the result is",
        "Tunes three kinds of learners on 100 rows of the breast-cancer data, corrects the "
        "winner's score, and checks it against the 469 rows that were held out.",
    )
    demo.add_argument(
        "--plot",
        type=Path,
        default=Path("bbc-demo.png"),
        metavar="FILE",
        help="where the picture goes (default: %(default)s)",
    )


def _add_show(commands: Any) -> None:
    show = _command(
        commands,
        "show",
        run_show,
        "what a store or a saved result holds",
        "Shows the run that a store holds, finished or not, with the corrected performance of "
        "the configurations that have finished; or a result that was written with --json.",
        _SHOW_EXAMPLES,
    )
    show.add_argument("file", metavar="FILE", help="a store (run.bbc) or a result (result.json)")
    show.add_argument(
        "--metric", metavar="NAME", help="for a store; by default the metric that decided"
    ).completions = tuple(metrics.names())  # type: ignore[attr-defined]
    _add_output(show)


def _add_completion(commands: Any) -> None:
    completion = _command(
        commands,
        "completion",
        run_completion,
        "completion for your shell",
        "Prints a script that completes commands, options and metrics.",
        _COMPLETION_EXAMPLES,
    )
    completion.add_argument("shell", choices=SHELLS)


def _add_table(parser: argparse.ArgumentParser) -> None:
    """Where the predictions are and which column is what."""
    parser.add_argument(
        "file", metavar="FILE", help="CSV, TSV or Parquet file; - reads CSV from standard input"
    )
    table = parser.add_argument_group("columns")
    table.add_argument(
        "--truth",
        action="append",
        required=True,
        metavar="COLUMN",
        help="the truth; twice for survival: event, then time",
    )
    table.add_argument("--folds", metavar="COLUMN", help="the fold of each row")
    table.add_argument("--groups", metavar="COLUMN", help="rows that are drawn together")
    table.add_argument("--sample-weight", metavar="COLUMN", help="weights of the rows")
    table.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a column that is no configuration; may be repeated",
    )
    table.add_argument("--long", action="store_true", help="the table is long, not wide")
    long = parser.add_argument_group("columns of a long table")
    long.add_argument("--row", default="row", metavar="COLUMN", help="default: row")
    long.add_argument(
        "--configuration", default="configuration", metavar="COLUMN", help="default: configuration"
    )
    long.add_argument(
        "--prediction",
        action="append",
        metavar="COLUMN",
        help="default: prediction; for class scores CLASS=COLUMN, once per class",
    )
    long.add_argument("--repeat", metavar="COLUMN", help="the partition, if there are several")


def _add_number_options(parser: argparse.ArgumentParser) -> None:
    """What every correction takes."""
    analysis = parser.add_argument_group("analysis")
    analysis.add_argument(
        "--metric",
        required=True,
        metavar="NAME",
        help="what is estimated; `bbc metrics` lists the names",
    ).completions = tuple(metrics.names())  # type: ignore[attr-defined]
    analysis.add_argument("--pos-label", metavar="LABEL", help="positive class (default: larger)")
    analysis.add_argument(
        "--n-bootstraps", type=int, default=1000, metavar="N", help="default: %(default)s"
    )
    analysis.add_argument(
        "--confidence-level", type=float, default=0.95, metavar="P", help="default: %(default)s"
    )
    analysis.add_argument("--seed", type=int, metavar="N", help="of the replicates; shown if drawn")
    analysis.add_argument("--n-threads", type=int, metavar="N", help="default: all cores")


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """What only the one correction takes."""
    more = parser.add_argument_group("more about the analysis")
    more.add_argument(
        "--method",
        choices=("bbc", "bbc-two-level", "bbc-f"),
        default="bbc",
        help="draw rows (or groups), folds and rows within them, or whole folds (default: bbc)",
    )
    more.add_argument(
        "--pooling",
        choices=("pooled", "fold"),
        default="pooled",
        help="the metric of all rows, or the mean of the folds' metrics (default: pooled)",
    )
    more.add_argument(
        "--alternative",
        choices=("two-sided", "greater", "less"),
        default="two-sided",
        help='"greater" gives a lower bound, "less" an upper bound',
    )
    more.add_argument("--stratify-bootstrap", action="store_true", help="draw within classes")
    more.add_argument(
        "--dynamic-search",
        action="store_true",
        help="configurations were chosen in the light of the scores of others: finding BBC007",
    )
    more.add_argument(
        "--missing",
        choices=("raise", "drop-rows", "drop-configurations"),
        default="raise",
        help="what to do about holes that only some configurations have (default: raise)",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    _add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a report as well")


def _add_json(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="write JSON instead of text")
