"""The code that learners run, followed through the user's project as far as possible.

Functions and classes are compared by what they do. What they refer to by name is followed in turn:
other functions and classes, members of modules, values. Packages are compared by version.
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

# What these run cannot be known beforehand; what these fetch may be any member of a module.
_RUN_TEXT = {"__import__", "eval", "exec", "globals"}
_IMPORT = {"import_module", "run_module", "run_path"}
_FETCH = {"getattr", "vars"}
# Members of abstract classes and of enumerations that fill up as they are used.
_CACHES = {"_abc_impl", "_value2member_map_"}
VALUE = "the value of "


class Code:
    """All code that can be reached from the functions, classes and modules in `roots`.

    `facts` are digests of functions and classes by name, `values` digests of the values that they
    refer to, `packages` the distributions to be compared by version; `unseen` says what cannot be
    followed, and why.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self.facts: dict[str, set[str]] = {}
        self.values: dict[str, set[str]] = {}
        self.packages: set[str] = set()
        self.unseen: dict[str, str] = {}
        self._fingerprint = Fingerprint()
        met = self._fingerprint.met
        met.update({id(root): root for root in roots})
        n_followed = 0
        while n_followed < len(met):
            found = list(met.values())[n_followed:]
            n_followed += len(found)
            for code in found:
                self._follow(code)

    def _follow(self, code: Any) -> None:
        if isinstance(code, ModuleType):
            self._module(code, None, set())
        elif isinstance(code, FunctionType):
            module = str(code.__globals__.get("__name__"))
            if self._is_project(module):
                self._function(code, f"{module}.{code.__qualname__}")
            else:  # may wrap functions of the project, or a dict of such
                held = [content(cell) for cell in code.__closure__ or ()]
                self._meet(
                    chain(held, *(list(some.values()) for some in held if type(some) is dict))
                )
        elif self._is_project(str(code.__module__)):
            self._class(code, f"{code.__module__}.{code.__qualname__}")

    def _is_project(self, module: str) -> bool:
        """Whether a module's code is followed; if not, notes where it comes from."""
        packages = packages_of(module)
        if packages is not None:
            self.packages.update(packages)
        elif is_compiled(module):
            self.unseen[module] = "is compiled"
        else:
            return True
        return False

    def _meet(self, candidates: Iterable[Any]) -> None:
        for code in candidates:
            if isinstance(code, FunctionType | type):
                self._fingerprint.met[id(code)] = code

    def _function(self, function: FunctionType, place: str) -> None:
        names, visited = names_in(function.__code__), set[str]()
        known = function.__globals__
        references: list[Any] = []
        for name in sorted(names.of_globals):
            if name in known:
                label = f"{known.get('__name__')}.{name}"
                references.append((name, self._reference(known[name], label, names, visited)))
            elif name in _RUN_TEXT:
                self.unseen[place] = f"calls {name}"
        for name in sorted(names.all & _IMPORT):
            self.unseen[place] = f"calls {name}"
        references += self._imported(names, known.get("__package__"), place, visited)
        self._note(self.facts, f"the code of {place}", [function.__code__, references])
        held = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        values = {name: content(cell) for name, cell in held} | vars(function)
        if function.__defaults__ or function.__kwdefaults__:
            values["default arguments"] = function.__defaults__, function.__kwdefaults__
        for name, value in values.items():
            self._value(value, f"{name} in {place}")

    def _class(self, cls: type, place: str) -> None:
        members: list[Any] = [self._name(base) for base in (type(cls), *cls.__bases__)]
        for name, member in sorted(vars(cls).items()):
            functions = _functions_of(member)
            is_slot = hasattr(member, "__objclass__")  # or a member of a compiled class
            if functions or not (_is_machinery(name) or is_slot):
                members.append((name, type(member).__name__, *map(self._name, functions)))
                if not functions:
                    self._value(member, f"{place}.{name}")
        self._note(self.facts, f"the class {place}", members)

    def _name(self, code: Any) -> Any:
        """A function or class by its name, and by content where several may share it."""
        self._meet([code])
        body = code.__code__ if isinstance(code, FunctionType) else code
        return str(code.__module__), code.__qualname__, "<" in code.__qualname__ and body

    def _reference(self, target: Any, label: str, names: Names | None, visited: set[str]) -> Any:
        """The object that a name in code refers to, without its content."""
        if isinstance(target, ModuleType):
            return self._module(target, names, visited)
        if isinstance(target, FunctionType | type):
            return self._name(target)
        self._value(target, label)
        return "a value"

    def _module(self, module: ModuleType, names: Names | None, visited: set[str]) -> Any:
        """The members of a module that code names or may fetch; without names, all."""
        name = module.__name__
        if name in visited or not self._is_project(name):
            return name
        visited.add(name)
        fetched = names is None or bool(names.of_globals & _FETCH)
        return [
            (key, self._reference(member, f"{name}.{key}", names, visited))
            for key, member in sorted(vars(module).items())
            if not _is_machinery(key) and (names is None or fetched or key in names.all)
        ]

    def _imported(
        self, names: Names, package: str | None, place: str, visited: set[str]
    ) -> list[Any]:
        """Modules and members that code imports when it runs."""
        found: list[Any] = []
        for name, level, members in names.imported:
            try:
                module = resolve_name("." * level + name, package)
                if not self._is_project(module):
                    continue
                inner = vars(importlib.import_module(module))
                below = [f"{module}.{member}" for member in members if member not in inner]
                for path in (module, *below):
                    found.append(self._module(importlib.import_module(path), names, visited))
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
    """The functions that a member of a class holds."""
    held: list[Any]
    if isinstance(member, staticmethod | classmethod):
        held = [member.__func__]
    elif isinstance(member, singledispatchmethod):
        held = list(member.dispatcher.registry.values())
    elif isinstance(member, property):
        held = [member.fget, member.fset, member.fdel]
    else:
        held = [member.func if isinstance(member, cached_property) else member]
    return [each for each in held if isinstance(each, FunctionType)]


def _is_machinery(name: str) -> bool:
    """Whether Python itself keeps a member of that name in classes and modules."""
    return (name.startswith("__") and name.endswith("__")) or name in _CACHES
