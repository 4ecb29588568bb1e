"""Bqpjson: minimise scale * (offset + Σ c_i b_i + Σ c_ij b_i b_j), in bits or in spins.

The `variable_ids` become labels. A spin b is 2x - 1. The scale goes into the factors:
as decimals, so that no digit is lost that a float can hold. Whatever else is in a file,
such as solutions, does not count. Factors of the same two variables, in either order,
add up, as the specification says, with a warning. https://bqpjson.readthedocs.io has
the specification.
"""

import json
import warnings
from collections.abc import Sequence
from decimal import Context, Decimal
from typing import IO, Any

import numpy as np

from paretoball.formats.headers import check_kind
from paretoball.formats.quadratic import checked_quadratic
from paretoball.formats.source import Source
from paretoball.formats.triplets import first_repeat
from paretoball.formats.weights import checked_weights
from paretoball.landscape import Landscape, constant, products
from paretoball.system import brief

DOMAINS = ("boolean", "spin")
MOST_DIGITS = 400  # of a product: a whole number below 1.8e308, times a float
KEYS = {
    "variable_ids": list,
    "variable_domain": str,
    "scale": float,
    "offset": float,
    "linear_terms": list,
    "quadratic_terms": list,
}
NAME = "bqpjson"
TITLE = "bqpjson, minimised"
SUFFIXES = (".bqpjson",)


def sniff(source: Source) -> bool:
    """Whether it is an object of JSON with the format's own keys."""
    own = {"variable_ids", "variable_domain"}
    return source.json is not None and own <= source.json.keys()


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form or an Ising model."""
    model = source.json
    if model is None:
        raise ValueError("it is not a JSON object")
    for key, kind in KEYS.items():
        if key not in model:
            raise ValueError(f"it lacks {key!r}")
        check_kind(model, key, kind)
    if model["variable_domain"] not in DOMAINS:
        found = brief(model["variable_domain"])
        raise ValueError(f"variable_domain is {found}, neither 'boolean' nor 'spin'")
    if model["scale"] < 0:
        raise ValueError(f"scale is {brief(model['scale'])}: it is 0 or more")
    place_of = _places(model["variable_ids"])
    spins = model["variable_domain"] == "spin"
    terms = [constant(_scaled([model["offset"]], "offset", model["scale"])[0])]
    for name, keys in (("linear", ("id",)), ("quadratic", ("id_tail", "id_head"))):
        found = model[f"{name}_terms"]
        masks = _masks(found, keys, place_of, f"{name} term")
        factors = _scaled([each.get("coeff") for each in found], name, model["scale"])
        terms.append(products(masks, factors, spins))
        again = first_repeat(masks[:, 0], masks[:, -1])
        if again is not None:
            which = "{} and {}".format(*again)
            said = f"{name} terms {which} have the same variables: they add up"
            warnings.warn(f"{source.path}: {said}", stacklevel=2)
    return Landscape.from_terms(len(place_of), [terms], "min", labels=list(place_of))


def _places(ids: list[Any]) -> dict[int, int]:
    """The variable of each id."""
    for each in ids:
        if type(each) is not int or each < 0:
            raise ValueError(
                f"variable id {brief(each)} is not a whole number from 0 on"
            )
    place_of = {each: j for j, each in enumerate(ids)}
    if len(place_of) < len(ids):
        again = next(each for j, each in enumerate(ids) if place_of[each] != j)
        raise ValueError(f"variable id {again} is there twice")
    if not ids:
        raise ValueError("variable_ids is empty: there is at least one variable")
    return place_of


def _masks(
    terms: list[Any], keys: Sequence[str], place_of: dict[int, int], what: str
) -> np.ndarray:
    """The variables of all terms, of one each or of two: (m, k)."""
    for e, term in enumerate(terms):
        if type(term) is not dict:
            raise TypeError(f"{what} {e} is {brief(term)}, not an object")
    masks = np.stack([_column(terms, key, place_of, what) for key in keys], axis=1)
    is_loop = (masks[:, 1:] == masks[:, :1]).any(axis=1)
    if is_loop.any():
        e = int(np.argmax(is_loop))
        raise ValueError(f"{what} {e} has the variable {terms[e][keys[0]]} twice")
    numbers = masks @ len(place_of) ** np.arange(len(keys))
    if len(np.unique(numbers)) < len(terms):
        first, which = np.unique(numbers, return_index=True, return_inverse=True)[1:]
        e = int(np.argmax(first[which] != np.arange(len(terms))))
        raise ValueError(f"{what} {e} has the variables of {what} {first[which[e]]}")
    return masks


def _column(
    terms: list[Any], key: str, place_of: dict[int, int], what: str
) -> np.ndarray:
    """The variable that each term has at this key."""
    ids = [term.get(key) for term in terms]
    known = (place_of.get(each, -1) if type(each) is int else -1 for each in ids)
    places = np.fromiter(known, np.int64, len(ids))
    if (places < 0).any():
        e = int(np.argmax(places < 0))
        raise ValueError(
            f"{what} {e} has the {key} {brief(ids[e])}, which is none of the "
            "variable_ids"
        )
    return places


def _scaled(factors: list[Any], what: str, scale: float) -> np.ndarray:
    """Factors times the scale: each product is the float nearest to the decimals'."""
    found = checked_weights(factors, f"{what} term")
    if scale == 1:
        return found
    if type(scale) is int and found.dtype.kind == "i":
        return np.array([scale * each for each in found.tolist()], object)
    exact, times = Decimal(repr(scale)), Context(prec=MOST_DIGITS).multiply
    distinct, which = np.unique(found, return_inverse=True)
    scaled = [float(times(exact, Decimal(repr(each)))) for each in distinct.tolist()]
    return np.array(scaled)[which]


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a line per term; the variables are boolean."""
    form = checked_quadratic(landscape, "a bqpjson file")
    linear = [
        {"coeff": each, "id": form.ids[i]} for i, each in enumerate(form.linear) if each
    ]
    couplers = [
        {"coeff": each, "id_head": form.ids[j], "id_tail": form.ids[i]}
        for i, j, each in form.couplers
    ]
    model = {
        "version": "1.0.0",
        "id": 0,
        "metadata": {"labels": form.told_labels} if form.told_labels else {},
        "variable_ids": form.ids,
        "variable_domain": "boolean",
        "scale": 1.0,
        "offset": form.constant,
        "linear_terms": linear,
        "quadratic_terms": couplers,
    }
    lines = []
    for key, value in model.items():
        text = json.dumps(value)
        if value and key.endswith("_terms"):
            text = "[\n    " + ",\n    ".join(map(json.dumps, value)) + "\n  ]"  # type: ignore[call-overload]
        lines.append(f'  "{key}": {text}')
    file.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())
