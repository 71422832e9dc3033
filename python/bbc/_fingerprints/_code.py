"""The code that learners run, followed through the user's own project as far as that is possible.

Functions and classes count by what they do. What they refer to by name is followed in turn: other
functions and classes, members of modules, values. Packages count by their versions.
"""

import importlib
from collections.abc import Iterable
from functools import cached_property, singledispatchmethod
from importlib.util import resolve_name
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any

from ._bytecode import Names, names_in
from ._fingerprint import Fingerprint, content, why
from ._homes import is_compiled, packages_of

# What these run cannot be seen beforehand; and what these fetch may be any member of a module.
_RUN_TEXT = {"__import__", "eval", "exec", "globals"}
_IMPORT = {"import_module", "run_module", "run_path"}
_FETCH = {"getattr", "vars"}
# Members of abstract classes and of enumerations that fill up as they are used.
_CACHES = {"_abc_impl", "_value2member_map_"}
VALUE = "the value of "


class Code:
    """Everything that can be reached from where learners begin.

    Parameters
    ----------
    roots : iterable of function, class or module
        Where to begin.

    Attributes
    ----------
    facts : dict of str to set of str
        Digests of functions and classes, by name.
    values : dict of str to set of str
        Digests of the values that they refer to.
    packages : set of str
        Distributions, of which the version counts.
    unseen : dict of str to str
        What cannot be followed, and why.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self.facts: dict[str, set[str]] = {}
        self.values: dict[str, set[str]] = {}
        self.packages: set[str] = set()
        self.unseen: dict[str, str] = {}
        self._fingerprint = Fingerprint()
        met = self._fingerprint.met
        met.update({id(one): one for one in roots})
        n_followed = 0
        while n_followed < len(met):
            found = list(met.values())[n_followed:]
            n_followed += len(found)
            for one in found:
                self._follow(one)

    def _follow(self, one: Any) -> None:
        if isinstance(one, ModuleType):
            self._module(one, None, set())
        elif isinstance(one, FunctionType):
            module = str(one.__globals__.get("__name__"))
            if self._is_project(module):
                self._function(one, f"{module}.{one.__qualname__}")
            else:  # a wrapper around what may be the project's, or a choice of such
                held = [content(cell) for cell in one.__closure__ or ()]
                self._meet(
                    chain(held, *(list(some.values()) for some in held if type(some) is dict))
                )
        elif self._is_project(str(one.__module__)):
            self._class(one, f"{one.__module__}.{one.__qualname__}")

    def _is_project(self, module: str) -> bool:
        """Whether a module's code is to be followed; notes where it comes from if not."""
        packages = packages_of(module)
        if packages is not None:
            self.packages.update(packages)
        elif is_compiled(module):
            self.unseen[module] = "is compiled"
        else:
            return True
        return False

    def _meet(self, candidates: Iterable[Any]) -> None:
        for one in candidates:
            if isinstance(one, FunctionType | type):
                self._fingerprint.met[id(one)] = one

    def _function(self, function: FunctionType, place: str) -> None:
        names, seen = names_in(function.__code__), set[str]()
        known = function.__globals__
        references: list[Any] = []
        for name in sorted(names.of_globals):
            if name in known:
                label = f"{known.get('__name__')}.{name}"
                references.append((name, self._reference(known[name], label, names, seen)))
            elif name in _RUN_TEXT:
                self.unseen[place] = f"calls {name}"
        for name in sorted(names.all & _IMPORT):
            self.unseen[place] = f"calls {name}"
        references += self._imported(names, known.get("__package__"), place, seen)
        self._note(self.facts, f"the code of {place}", [function.__code__, references])
        held = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        values = {name: content(cell) for name, cell in held} | vars(function)
        if function.__defaults__ or function.__kwdefaults__:
            values["default arguments"] = function.__defaults__, function.__kwdefaults__
        for name, value in values.items():
            self._value(value, f"{name} in {place}")

    def _class(self, own: type, place: str) -> None:
        members: list[Any] = [self._name(one) for one in (type(own), *own.__bases__)]
        for name, member in sorted(vars(own).items()):
            functions = _functions_of(member)
            is_slot = hasattr(member, "__objclass__")  # or a member of a compiled class
            if functions or not (_is_machinery(name) or is_slot):
                members.append((name, type(member).__name__, *map(self._name, functions)))
                if not functions:
                    self._value(member, f"{place}.{name}")
        self._note(self.facts, f"the class {place}", members)

    def _name(self, code: Any) -> Any:
        """A function or class by its name, and by what it is where several are called so."""
        self._meet([code])
        body = code.__code__ if isinstance(code, FunctionType) else code
        return str(code.__module__), code.__qualname__, "<" in code.__qualname__ and body

    def _reference(self, target: Any, label: str, names: Names | None, seen: set[str]) -> Any:
        """What a name in code stands for, without what is in it."""
        if isinstance(target, ModuleType):
            return self._module(target, names, seen)
        if isinstance(target, FunctionType | type):
            return self._name(target)
        self._value(target, label)
        return "a value"

    def _module(self, module: ModuleType, names: Names | None, seen: set[str]) -> Any:
        """The members of a module that code names, or may fetch; all of them without names."""
        own = module.__name__
        if own in seen or not self._is_project(own):
            return own
        seen.add(own)
        fetched = names is None or bool(names.of_globals & _FETCH)
        return [
            (name, self._reference(member, f"{own}.{name}", names, seen))
            for name, member in sorted(vars(module).items())
            if not _is_machinery(name) and (names is None or fetched or name in names.all)
        ]

    def _imported(self, names: Names, package: str | None, place: str, seen: set[str]) -> list[Any]:
        """What code refers to by importing it when it runs."""
        found: list[Any] = []
        for name, level, members in names.imported:
            try:
                module = resolve_name("." * level + name, package)
                if not self._is_project(module):
                    continue
                inner = vars(importlib.import_module(module))
                below = [f"{module}.{one}" for one in members if one not in inner]
                for one in (module, *below):
                    found.append(self._module(importlib.import_module(one), names, seen))
            except Exception as error:
                self.unseen[f"{name} in {place}"] = why(error)
        return found

    def _value(self, value: Any, label: str) -> None:
        self._note(self.values, VALUE + label, value, label)

    def _note(self, facts: dict[str, set[str]], name: str, value: Any, label: str = "") -> None:
        try:
            if callable(value):
                self._is_project(str(getattr(value, "__module__", None)))
            facts.setdefault(name, set()).add(self._fingerprint.text(value))
        except Exception as error:
            facts.pop(name, None)
            self.unseen[label or name] = why(error)


def _functions_of(member: Any) -> list[FunctionType]:
    """The functions that a member of a class holds, whatever way it is called."""
    held: list[Any]
    if isinstance(member, staticmethod | classmethod):
        held = [member.__func__]
    elif isinstance(member, singledispatchmethod):
        held = list(member.dispatcher.registry.values())
    elif isinstance(member, property):
        held = [member.fget, member.fset, member.fdel]
    else:
        held = [member.func if isinstance(member, cached_property) else member]
    return [one for one in held if isinstance(one, FunctionType)]


def _is_machinery(name: str) -> bool:
    """Whether a member is what Python itself keeps in classes and modules."""
    return (name.startswith("__") and name.endswith("__")) or name in _CACHES
