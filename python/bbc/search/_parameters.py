"""Parameters of the protocols, declared once each."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from .._docstrings import inherit_docstring

_Owner = TypeVar("_Owner")


@dataclass_transform(kw_only_default=True, eq_default=False)
def protocol(cls: type[_Owner]) -> type[_Owner]:
    """Give a class the constructor that its annotated parameters describe, and their docstring.

    Scikit-learn reads parameters from the constructor's signature; defaults stay there and are no
    attributes of the class.
    """
    made: type[_Owner] = dataclass(kw_only=True, eq=False, repr=False)(cls)
    for name in set(made.__annotations__) & set(vars(made)):
        delattr(made, name)
    inherit_docstring(made)
    return made
