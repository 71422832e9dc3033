"""A store keeps every finished fit, so that a run can be stopped at any moment and resumed.

One file, to which each fit is appended. Fits are stored under the digests of their configurations,
whatever their positions in the grid. The file is locked while a run has it open, against other runs
and not against readers; the lock is the system's, so a killed run leaves none behind.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, NamedTuple, Self

from .._names import difference, printable
from .._typing import AnyArray
from ..errors import StoreError
from ._sealed import Key, SealedFile, matches, packed, unpacked

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
    """The identity of a fit; `part` distinguishes the loops of one run."""

    part: str
    repeat: int
    fold: int
    configuration: int


@dataclass(frozen=True)
class StoredFit:
    """The result of one fit: its predictions (`outputs`) for the rows of its fold, and seconds.

    `method` is the estimator's method that gave the scores, `error` why the fit failed; each is
    empty if it does not apply. `told` is what scorers of others gave, which no store keeps.
    """

    outputs: Mapping[str, AnyArray] = field(default_factory=dict)
    fit_time: float = 0.0
    score_time: float = 0.0
    method: str = ""
    error: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Identity:
    """What must be the same for stored fits to be reused; a later call may add to all but `facts`.

    `facts` are digests by what they are of, `code` versions and digests of the learners' code,
    `configurations` names by digests in the order of the call. `values` returns digests of values
    that the code refers to; a value that training changes, such as a counter, is not compared from
    then on.
    """

    facts: _Facts = field(default_factory=dict)
    code: _Facts = field(default_factory=dict)
    configurations: Mapping[str, str] = field(default_factory=dict)
    values: Callable[[], _Facts] = dict


class Store:
    """An open store, in which no other run can write until it is closed.

    A StoreError is raised if the file is not a store, is damaged or in use by a run that writes, or
    cannot be read. One that cannot be written is read, and refuses fits.

    Examples
    --------
    >>> import os, tempfile
    >>> from bbc._store import FitKey, Identity, Store, StoredFit
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

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; one made for a run that never began is removed."""
        try:
            changes = self._changes()
            if changes:
                with suppress(StoreError):
                    self._file.put(changes)
        finally:
            self._file.close(keep=not self.is_new)

    @property
    def n_fits(self) -> int:
        """The number of finished fits in all parts."""
        return sum(isinstance(key, tuple) for key in self._file)

    @property
    def saved(self) -> float | None:
        """Seconds since 1970 at which something was stored last."""
        return self._file.saved

    @property
    def changing(self) -> list[str]:
        """Names of the values that training has changed."""
        return list((self.record("changing") or {"names": ()})["names"])

    def record(self, name: str, pattern: Any = None) -> dict[str, Any] | None:
        """Return the JSON values and arrays that are kept under a name, or None."""
        entry = self._file.get(name)
        if entry is None:
            return None
        content = self._unpacked(entry, name)
        if not matches(content, pattern or _RECORDS.get(name.partition(" ")[0])):
            raise self.damaged(name)
        return content

    def start(self, identity: Identity, run: Mapping[str, Any], latest: Mapping[str, Any]) -> None:
        """Start or resume a run; a different identity is refused and the difference named.

        `run` is stored with a new run: what is needed to use its fits without the caller. `latest`
        may differ from call to call on the same fits; it is stored where the file can be written.
        """
        values, configurations = dict(identity.values()), dict(identity.configurations)
        call = {
            "facts": dict(identity.facts),
            "code": dict(identity.code),
            "values": values,
            "configurations": configurations,
        }
        stored = self.record("identity")
        records = {"identity": call, "latest": latest}
        if stored is None:
            records["run"] = run
        else:
            if not self.n_fits:  # nothing was made with the values of then
                stored["values"] = values
            differs = difference(stored, call, self.changing)
            if differs:
                raise StoreError(f"store {self.path!r} holds another run: {printable(differs)}")
            if self._file.get("run") != packed(run):  # equal facts imply equal descriptions
                raise self.damaged("run")
            for kind in ("code", "values"):
                call[kind] = stored[kind] | call[kind]
        self._keep(records)
        self.is_new = False
        self._number(configurations)
        self._values, self._before = identity.values, values

    def start_part(self, name: str, digest: str) -> None:
        """Start or resume a part, whose folds the digest identifies."""
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
        index_of = {digest: index for index, digest in enumerate(self._digests)}
        found = [key for key in self._file if isinstance(key, tuple) and key[0] == part]
        try:
            return sorted(FitKey(*key[:3], index_of[key[3]]) for key in found)
        except KeyError as error:
            raise self.damaged(f"a fit of {error}") from error

    def load(
        self,
        key: FitKey,
        is_possible: Callable[[Mapping[str, AnyArray], str], bool] = lambda *_: True,
    ) -> StoredFit:
        """Return a finished fit; `is_possible` says whether a model could give these outputs."""
        entry = self._file.get(self._place(key))
        assert entry is not None
        content = self._unpacked(entry, key)
        outputs = {name: content.pop(name) for name in content.keys() - _FIT.keys()}
        if not matches(content, _FIT) or not (
            not outputs if content["error"] else is_possible(outputs, content["method"])
        ):
            raise self.damaged(key)
        return StoredFit(outputs, **content)

    def save(self, key: FitKey, fit: StoredFit) -> None:
        """Store a fit, which no crash of this process loses from then on."""
        plain = {name: kind(getattr(fit, name)) for name, kind in _FIT.items()}
        entries: dict[Key, tuple[str, bytes]] = {
            self._place(key): packed(plain | dict(fit.outputs))
        }
        if self._first:  # the run may be killed before the next
            entries |= self._changes()
        self._file.put(entries)
        self._first = False

    def check_writable(self) -> None:
        """Refuse to train what could not be stored."""
        self._file.check_writable()

    def damaged(self, place: object) -> StoreError:
        """Return the error of a store with content that no run wrote."""
        return self._file.damaged(place)

    def _keep(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Store records that differ from the stored ones; a finished run is used as it is."""
        entries: dict[Key, tuple[str, bytes]] = {
            name: packed(record) for name, record in records.items()
        }
        changed = {name: new for name, new in entries.items() if self._file.get(name) != new}
        if changed and (self.is_new or self._file.is_writable):
            self._file.put(changed)

    def _place(self, key: FitKey) -> tuple[str, int, int, str]:
        return key.part, key.repeat, key.fold, self._digests[key.configuration]

    def _read(self) -> None:
        """Read all records, so that damage is found at once."""
        keys = list(self._file)
        found = {name: self.record(name) for name in keys if isinstance(name, str)}
        self.is_new = not keys
        if keys and not {"identity", "latest", "run"} <= found.keys():
            raise self.damaged("a record is missing")
        identity = found.get("identity") or {"configurations": {}}
        self._number(identity["configurations"])

    def _number(self, configurations: Mapping[str, str]) -> None:
        """Number the configurations as in the keys of fits."""
        self._digests, self.names = list(configurations), tuple(configurations.values())

    def _changes(self) -> dict[Key, tuple[str, bytes]]:
        """The record of values that training has changed since the run began, if there are more."""
        now = self._values()
        changed = {name for name, before in self._before.items() if now.get(name) != before}
        known = set(self.changing)
        if changed <= known:
            return {}
        return {"changing": packed({"names": sorted(changed | known)})}

    def _unpacked(self, entry: tuple[str, bytes], place: object) -> dict[str, Any]:
        try:
            return unpacked(*entry)
        except ValueError as error:
            raise self.damaged(place) from error
