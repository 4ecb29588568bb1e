"""Vartypes: whether the variables of a polynomial are bits or spins."""

from typing import Any

from paretoball.system import brief

BINARY, SPIN = "BINARY", "SPIN"
MIRRORED = {"PUSO", "QUSO", "PCSO", "PUSOMatrix", "QUSOMatrix"}  # qubovert's spins


def vartype_of(given: Any, where: str, stated: Any = None) -> str:
    """`BINARY` or `SPIN`: what is stated, what the polynomial says itself, or bits."""
    for kind in type(given).__mro__:
        if kind.__module__.split(".")[0] == "qubovert" and kind.__name__ in MIRRORED:
            raise ValueError(
                f"{where} is a {kind.__name__} of qubovert, whose spins are 1 - 2x "
                "where 2x - 1 is meant here: give qubovert.utils.puso_to_pubo of it"
            )
    own = getattr(given, "vartype", None)
    if own is None:
        return BINARY if stated is None else _checked(stated, "vartype")
    own = _checked(own, f"the vartype of {where}")
    if stated is not None and own != _checked(stated, "vartype"):
        raise ValueError(
            f"{where} has variables of vartype {own!r}, not {_checked(stated, '')!r}"
        )
    return own


def _checked(vartype: Any, what: str) -> str:
    """The name of a vartype; dimod's have an attribute for it."""
    name = getattr(vartype, "name", vartype)
    if isinstance(name, str) and name.upper() in (BINARY, SPIN):
        return name.upper()
    raise ValueError(f"{what} is {brief(vartype)}, neither 'BINARY' nor 'SPIN'")
