"""A store keeps every finished fit, so that a run can stop at any moment and go on.

One SQLite file, one transaction per fit. Fits are kept under the digests of their configurations,
whatever their places in the grid. The file is locked while a run has it open; the lock is the
system's, so a killed run leaves none behind.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os import PathLike
from types import TracebackType
from typing import Any, NamedTuple, Self

from ._names import difference, printable
from ._records import matches, packed, unpacked
from ._sealed import SealedFile
from ._typing import AnyArray
from .errors import StoreError

__all__ = ["FitKey", "Identity", "Store", "StoredFit"]

_Facts = Mapping[str, Sequence[str]]
_FIT = {"fit_time": float, "score_time": float, "method": str, "error": str}
_RECORDS: dict[str, Any] = {
    "identity": {
        "facts": {str: [str]},
        "code": {str: [str]},
        "values": {str: [str]},
        "configurations": {str: str},
    },
    "changing": {"names": [str]},
    "latest": dict,
    "part": {"folds": str},
    "run": dict,
}


class FitKey(NamedTuple):
    """What a fit is called; `part` tells apart the loops of one run."""

    part: str
    repeat: int
    fold: int
    configuration: int


@dataclass(frozen=True)
class StoredFit:
    """What one fit left behind.

    Attributes
    ----------
    outputs : dict of str to array
        Its predictions for the rows of its fold.
    fit_time, score_time : float
        Seconds.
    method : str
        The estimator's method that gave the scores; empty without scores.
    error : str
        Why the fit failed; empty if it did not.
    """

    outputs: Mapping[str, AnyArray] = field(default_factory=dict)
    fit_time: float = 0.0
    score_time: float = 0.0
    method: str = ""
    error: str = ""


@dataclass(frozen=True)
class Identity:
    """What must be the same for stored fits to count.

    Attributes
    ----------
    facts : dict of str to list of str
        Digests and the like, by what they are of.
    code : dict of str to list of str
        Versions and digests of the learners' code. A later call may add to it.
    configurations : dict of str to str
        Names by digests, in the order of the call. A later call may add to them.
    values : callable
        Returns digests of values that the code refers to. A later call may add to them. One that
        changes while models are trained, such as a counter, is not compared from then on.
    """

    facts: _Facts = field(default_factory=dict)
    code: _Facts = field(default_factory=dict)
    configurations: Mapping[str, str] = field(default_factory=dict)
    values: Callable[[], _Facts] = dict


class Store:
    """An open store; nobody else can open it until it is closed.

    Parameters
    ----------
    path : str or path-like
        The file.
    read_only : bool, default=False
        Only look at an existing store.

    Raises
    ------
    StoreError
        If the file is no store, is damaged or in use, or cannot be read or written.

    Examples
    --------
    >>> import os, tempfile
    >>> from bbc.store import FitKey, Identity, Store, StoredFit
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "a.bbc")) as store:
    ...     store.start(Identity(configurations={"7f": "C=1", "a0": "C=2"}), {}, {})
    ...     store.save(FitKey("cv", 0, 0, 1), StoredFit(fit_time=0.5))
    ...     store.fits("cv")
    [FitKey(part='cv', repeat=0, fold=0, configuration=1)]
    """

    def __init__(self, path: str | PathLike[str], *, read_only: bool = False) -> None:
        self._file = SealedFile(path, read_only=read_only)
        self.path = self._file.path
        self._values: Callable[[], _Facts] = dict
        self._before: _Facts = {}
        self._first = True
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others in; a file made for a run that never began is removed."""
        try:
            with suppress(StoreError):
                self._note_changes()
        finally:
            self._file.close(keep=not self.is_new)

    @property
    def n_fits(self) -> int:
        """Number of finished fits, of all parts."""
        return int(self._file.rows("SELECT count(*) FROM fits")[0][0])

    @property
    def changing(self) -> list[str]:
        """What training changed, of the values that code refers to."""
        return list((self.record("changing") or {"names": ()})["names"])

    def record(self, name: str, pattern: Any = None) -> dict[str, Any] | None:
        """Return the JSON values and arrays that are kept under a name, or None."""
        row = self._row(name)
        if row is None:
            return None
        content = self._unpacked(row, name)
        if not matches(content, pattern or _RECORDS.get(name.partition(" ")[0])):
            raise self.damaged(name)
        return content

    def start(self, identity: Identity, run: Mapping[str, Any], latest: Mapping[str, Any]) -> None:
        """Begin a run, or go on with it.

        Parameters
        ----------
        identity : Identity
            A difference is refused and named.
        run : dict of str to array or JSON value
            What is needed to use the fits without the caller: kept with a new run.
        latest : dict of str to array or JSON value
            What may differ from call to call on the same fits: always kept.
        """
        values, configurations = dict(identity.values()), dict(identity.configurations)
        here = {
            "facts": dict(identity.facts),
            "code": dict(identity.code),
            "values": values,
            "configurations": configurations,
        }
        there = self.record("identity")
        records = {"identity": here, "latest": latest}
        if there is None:
            records["run"] = run
        else:
            differs = difference(there, here, self.changing)
            if differs:
                raise StoreError(f"store {self.path!r} holds another run: {printable(differs)}")
            if self._row("run") != packed(run):  # which the same facts make the same
                raise self.damaged("run")
            for kind in ("code", "values"):
                here[kind] = there[kind] | here[kind]
        self._keep(records)
        self.is_new = False
        self._number(configurations)
        self._values, self._before = identity.values, values

    def start_part(self, name: str, digest: str) -> None:
        """Begin or go on with a part, whose folds the digest identifies."""
        stored = self.record(f"part {name}")
        if stored is None:
            self._keep({f"part {name}": {"folds": digest}})
        elif stored != {"folds": digest}:
            raise StoreError(
                f"store {self.path!r} holds another run: the folds of {name!r} differ; pass the "
                "splitter of that run, or another path as store"
            )

    def fits(self, part: str) -> list[FitKey]:
        """Return the keys of a part's finished fits, in order."""
        rows = self._file.rows("SELECT repeat, fold, configuration FROM fits WHERE part = ?", part)
        places = {digest: place for place, digest in enumerate(self._digests)}
        try:
            return sorted(FitKey(part, repeat, fold, places[one]) for repeat, fold, one in rows)
        except KeyError as error:
            raise self.damaged(f"a fit of {error}") from error

    def load(
        self,
        key: FitKey,
        fits_in: Callable[[Mapping[str, AnyArray], str], bool] = lambda *_: True,
    ) -> StoredFit:
        """Return a finished fit.

        Parameters
        ----------
        key : FitKey
            Which one.
        fits_in : callable
            Tells whether a model of the run could have given such outputs by that method.
        """
        rows = self._file.rows(
            "SELECT head, data FROM fits WHERE part = ? AND repeat = ? AND fold = ? "
            "AND configuration = ?",
            *self._place(key),
        )
        content = self._unpacked(rows[0], key)
        outputs = {name: content.pop(name) for name in content.keys() - _FIT.keys()}
        if not matches(content, _FIT) or not (
            not outputs if content["error"] else fits_in(outputs, content["method"])
        ):
            raise self.damaged(key)
        return StoredFit(outputs, **content)

    def save(self, key: FitKey, fit: StoredFit) -> None:
        """Keep a fit, in one transaction: after it, nothing can lose the fit."""
        self._file.refuse_if_gone()
        plain = {name: kind(getattr(fit, name)) for name, kind in _FIT.items()}
        self._file.put("fits", [(*self._place(key), *packed(plain | dict(fit.outputs)))])
        if self._first:  # the next one may never come
            self._note_changes()
            self._first = False

    def damaged(self, place: object) -> StoreError:
        """Return the error of a store that holds what no run wrote."""
        return self._file.damaged(place)

    def _row(self, name: str) -> tuple[str, bytes] | None:
        rows = self._file.rows("SELECT head, data FROM records WHERE name = ?", name)
        return rows[0] if rows else None

    def _keep(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        self._file.put("records", [(name, *packed(one)) for name, one in records.items()])

    def _place(self, key: FitKey) -> tuple[str, int, int, str]:
        return key.part, key.repeat, key.fold, self._digests[key.configuration]

    def _read(self) -> None:
        """Read all records, so that nothing damaged is there when it is needed."""
        names = [name for (name,) in self._file.rows("SELECT name FROM records")]
        found = {name: self.record(name) for name in names}
        self.is_new = not found
        if found and not {"identity", "latest", "run"} <= found.keys():
            raise self.damaged("a record is missing")
        identity = found.get("identity") or {"configurations": {}}
        self._number(identity["configurations"])

    def _number(self, configurations: Mapping[str, str]) -> None:
        """Number the configurations, as keys of fits do."""
        self._digests, self.names = list(configurations), tuple(configurations.values())

    def _note_changes(self) -> None:
        """Note which values training has changed since the run began."""
        now = self._values()
        changed = {name for name, before in self._before.items() if now.get(name) != before}
        known = set(self.changing)
        if changed - known:
            self._keep({"changing": {"names": sorted(changed | known)}})

    def _unpacked(self, row: tuple[str, bytes], place: object) -> dict[str, Any]:
        try:
            return unpacked(*row)
        except ValueError as error:
            raise self.damaged(place) from error
