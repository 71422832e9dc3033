"""bbc beside its peers: medians, ratios and picoseconds per cell, side by side in one run."""

from functools import partial
from pathlib import Path
from statistics import median

from .._tables import Line, write_csv
from ._contests import Contest, Contestant, contests, missing_peers
from ._timing import Timed, take_turns, timed, worker

# Contestants draw other replicates than bbc; doing another job would show more than this.
_SAME_JOB = 0.02
_HEAD = (
    f"{'contestant':32s}{'median ms':>12s}{'ps/cell':>12s}{'bbc faster':>12s}{'must':>9s}"
    f"{'excellent':>11s}"
)


def in_worker(contest: str, contestant: str) -> tuple[float, float]:
    """One run in a process that finds the contest by name."""
    found = next(c for c in contests() if c.name == contest)
    return timed(found.run(next(c for c in found.contestants if c.name == contestant)))


def _runner(contest: Contest, contestant: Contestant) -> Timed:
    if not contestant.environment:
        return partial(timed, contest.run(contestant))
    pool = worker(tuple(contestant.environment.items()))
    return lambda: pool.submit(in_worker, contest.name, contestant.name).result()


def _measure(contest: Contest, seconds: float) -> list[Line]:
    print(f"\n{contest.name}\n{_HEAD}")
    runners = [_runner(contest, contestant) for contestant in contest.contestants]
    results = [run()[1] for run in runners]
    times = take_turns(runners, seconds)
    lines: list[Line] = []
    for contestant, result, own in zip(contest.contestants, results, times, strict=True):
        few = contestant.share < 0.5
        if not few and abs(result - results[0]) > _SAME_JOB * abs(results[0]):
            raise RuntimeError(f"{contestant.name} does another job: {result}, bbc {results[0]}")
        line = _line(contest, contestant, [seconds / contestant.share for seconds in own])
        line["times_bbc_is_faster"] = line["median_ms"] / (lines[0] if lines else line)["median_ms"]
        goal = contestant.goal
        line["must"], line["excellent"] = (goal.must, goal.excellent) if goal else ("", "")
        line["reached"] = goal.reached(line["times_bbc_is_faster"]) if goal else ""
        lines.append(line)
        _show(line)
    return lines


def _line(contest: Contest, contestant: Contestant, times: list[float]) -> Line:
    return {
        "problem": contest.name,
        "contestant": contestant.name,
        "median_ms": 1e3 * median(times),
        "least_ms": 1e3 * min(times),
        "runs": len(times),
        "share_timed": contestant.share,
        "picoseconds_per_cell": 1e12 * median(times) / contest.cells,
    }


def _show(line: Line) -> None:
    goals = f"{line['must']:9.4g}{line['excellent']:11.4g}" if line["reached"] else " " * 20
    print(
        f"{line['contestant']:32s}{line['median_ms']:12.3f}{line['picoseconds_per_cell']:12.4g}"
        f"{line['times_bbc_is_faster']:11.4g}x{goals}  {line['reached']}",
        flush=True,
    )


def run(folder: Path, *, quick: bool) -> None:
    """Measure, print, and write speed.csv contest by contest."""
    for text in missing_peers():
        print(text)
    chosen = contests()
    if quick:  # whatever takes seconds by itself
        chosen = [c for c in chosen if c.cells < 5e7]
    lines: list[Line] = []
    # The small ones first, and written as they end: a run that is stopped keeps what it has.
    for contest in sorted(chosen, key=lambda c: c.cells):
        lines += _measure(contest, 0.3 if quick else 5.0)
        write_csv(lines, folder / "speed.csv")
