"""Bqpjson: values by the definition, and damaged files."""

import json
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats.bqpjson import _scaled

MODEL = {
    "version": "1.0.0",
    "id": 0,
    "metadata": {},
    "variable_ids": [2, 4, 6],
    "variable_domain": "boolean",
    "scale": 1.0,
    "offset": 0.5,
    "linear_terms": [{"id": 2, "coeff": 1.3}, {"id": 6, "coeff": -0.7}],
    "quadratic_terms": [
        {"id_tail": 4, "id_head": 2, "coeff": 2},
        {"id_tail": 2, "id_head": 4, "coeff": 0.25},
    ],
}


def value(model, bits) -> Fraction:
    """scale * (offset + linear + quadratic), exactly."""
    is_spin = model["variable_domain"] == "spin"
    place_of = {each: j for j, each in enumerate(model["variable_ids"])}
    b = [2 * bit - 1 if is_spin else bit for bit in bits]
    total = Fraction(repr(model["offset"]))
    for term in model["linear_terms"]:
        total += Fraction(repr(term["coeff"])) * b[place_of[term["id"]]]
    for term in model["quadratic_terms"]:
        pair = b[place_of[term["id_tail"]]] * b[place_of[term["id_head"]]]
        total += Fraction(repr(term["coeff"])) * pair
    return Fraction(repr(model["scale"])) * total


def read_model(path, model) -> Landscape:
    path.write_text(json.dumps(model))
    return read_landscape(path)


@pytest.mark.filterwarnings("ignore:.*they add up")
@settings(max_examples=30)
@given(
    domain=st.sampled_from(["boolean", "spin"]),
    scale=st.sampled_from([1, 1.0, 2, 0.5, 0.001, 3.7, 0]),
    factors=st.lists(st.sampled_from([1, -3, 0.1, -2.45, 7.0]), min_size=5, max_size=5),
)
def test_values_are_exact(tmp_path_factory, domain, scale, factors):
    path = tmp_path_factory.getbasetemp() / "model.json"
    model = json.loads(json.dumps(MODEL)) | {"variable_domain": domain, "scale": scale}
    model["offset"] = factors[0]
    terms = [*model["linear_terms"], *model["quadratic_terms"]]
    for term, factor in zip(terms, factors[1:]):
        term["coeff"] = factor
    landscape = read_model(path, model)
    assert landscape.sense == ("min",)
    assert landscape.labels == (2, 4, 6)
    every = list(product((0, 1), repeat=3))
    right = [float(value(model, bits)) for bits in every]
    assert landscape.evaluate(every)[:, 0].tolist() == right


def test_whole_numbers_stay_whole(tmp_path):
    whole = MODEL | {"offset": 0, "linear_terms": [{"id": 4, "coeff": 2**61}]}
    landscape = read_model(tmp_path / "a.json", whole | {"quadratic_terms": []})
    assert landscape.evaluate([0, 1, 0]).tolist() == [2**61]


@pytest.mark.parametrize("scale", [2, 4, 2**64])
@pytest.mark.parametrize("factor", [2**61, -(2**61), 2**62])
def test_whole_numbers_times_the_scale_are_exact_or_refused(tmp_path, scale, factor):
    terms = {"linear_terms": [{"id": 4, "coeff": factor}], "quadratic_terms": []}
    model = MODEL | {"offset": 0, "scale": scale} | terms
    if abs(scale * factor) <= 2**62:
        landscape = read_model(tmp_path / "a.json", model)
        assert landscape.evaluate([0, 1, 0]).tolist() == [scale * factor]
        return
    with pytest.raises(ValueError, match="exact arithmetic ends"):
        read_model(tmp_path / "a.json", model)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"variable_ids": [2, 4]}, "linear term 1 has the id 6, which is none of"),
        ({"variable_ids": [2, 4, 4, 6]}, "variable id 4 is there twice"),
        ({"variable_ids": [2, -4, 6]}, "variable id -4 is not a whole number from 0"),
        ({"variable_ids": [2, True, 6]}, "variable id True is not a whole number"),
        ({"variable_ids": {}}, "variable_ids is {}, not a list"),
        ({"variable_domain": "bits"}, "'bits', neither 'boolean' nor 'spin'"),
        ({"variable_domain": 1}, "variable_domain is 1, not a text"),
        ({"scale": -1}, "scale is -1: it is 0 or more"),
        ({"scale": float("nan")}, "scale is nan, not a finite number"),
        ({"offset": "0"}, "offset is '0', not a finite number"),
        ({"linear_terms": [7]}, "linear term 0 is 7, not an object"),
        ({"linear_terms": [{"id": 2}]}, "linear term 0 has the weight None, not a num"),
        ({"linear_terms": [{"id": 2, "coeff": float("inf")}]}, "has the weight inf"),
        ({"linear_terms": [{"id": 2, "coeff": True}]}, "the weight True, not a number"),
        (
            {"linear_terms": [{"id": 2, "coeff": 1}] * 2},
            "1 has the variables of",
        ),
        (
            {"quadratic_terms": [{"id_tail": 2, "id_head": 2, "coeff": 1}]},
            "quadratic term 0 has the variable 2 twice",
        ),
        (
            {"quadratic_terms": [{"id_tail": 2, "id_head": [4], "coeff": 1}]},
            r"has the id_head \[4\], which is none of the variable_ids",
        ),
        ({"linear_terms": [{"id": 2, "coeff": 10**30}]}, "numbers end at"),
    ],
)
def test_damaged_models_are_refused(tmp_path, changed, said):
    with pytest.raises(ValueError, match=said) as refusal:
        read_model(tmp_path / "a.json", MODEL | changed)
    assert str(refusal.value).startswith(f"{tmp_path / 'a.json'}: ")


@pytest.mark.parametrize("key", sorted(MODEL.keys() - {"version", "id", "metadata"}))
def test_a_missing_key_is_named(tmp_path, key):
    model = {other: MODEL[other] for other in MODEL if other != key}
    path = tmp_path / "a.bqpjson"
    path.write_text(json.dumps(model))
    with pytest.raises(ValueError, match=f"it lacks '{key}'"):
        read_landscape(path)


def test_models_without_variables_are_refused(tmp_path):
    empty = MODEL | {"variable_ids": [], "linear_terms": [], "quadratic_terms": []}
    with pytest.raises(ValueError, match="variable_ids is empty"):
        read_model(tmp_path / "a.json", empty)


def test_files_have_a_line_per_term_and_tell_labels(tmp_path):
    one = [((0, 1), [1, 0, 3, 5])]
    landscape = Landscape.from_subfunctions(2, [one], "min", labels=["a", -1])
    write_landscape(landscape, tmp_path / "a.bqpjson")
    text = (tmp_path / "a.bqpjson").read_text()
    model = json.loads(text)
    assert model["metadata"] == {"labels": ["0 is 'a'", "1 is -1"]}
    assert model["variable_ids"] == [0, 1]
    assert (model["offset"], model["scale"]) == (1, 1.0)
    assert '\n    {"coeff": -1, "id": 0},\n    {"coeff": 2, "id": 1}\n' in text
    assert '\n    {"coeff": 3, "id_head": 1, "id_tail": 0}\n' in text


def test_the_first_term_that_is_there_again_is_named(tmp_path):
    pairs = [(2, 4), (4, 6), (6, 2), (4, 6), (2, 4)]
    terms = [{"id_tail": i, "id_head": j, "coeff": 1} for i, j in pairs]
    said = "quadratic term 3 has the variables of quadratic term 1$"
    with pytest.raises(ValueError, match=said):
        read_model(tmp_path / "a.json", MODEL | {"quadratic_terms": terms})


def test_any_pairs_of_many_variables_differ(tmp_path):
    ids = list(range(13))
    terms = [
        {"id_tail": i, "id_head": j, "coeff": 13 * i + j} for i in ids for j in ids[:i]
    ]
    changed = {"variable_ids": ids, "linear_terms": [], "quadratic_terms": terms}
    landscape = read_model(tmp_path / "a.json", MODEL | changed | {"offset": 0})
    assert landscape.labels == tuple(ids)
    for term in terms:
        x = [int(j in (term["id_tail"], term["id_head"])) for j in ids]
        assert landscape.evaluate(x).tolist() == [term["coeff"]]


def test_factors_of_a_pair_in_both_orders_add_up_with_a_warning(tmp_path):
    pairs = [(4, 6, 8), (2, 4, 1.5), (4, 2, 2.5)]
    terms = [{"id_tail": i, "id_head": j, "coeff": w} for i, j, w in pairs]
    changed = {"quadratic_terms": terms, "variable_domain": "boolean", "scale": 1}
    said = "a.json: quadratic terms 1 and 2 have the same variables: they add up"
    with pytest.warns(UserWarning, match=said):
        landscape = read_model(tmp_path / "a.json", MODEL | changed)
    none, one, two, both = landscape.evaluate(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    )[:, 0]
    assert both - one - two + none == 4


@pytest.mark.parametrize("scale", [0.1, 3.7, 0.001, 7, 0])
@pytest.mark.parametrize("factors", [[3, 7, -9], [3.0, -0.3], [3, 0.7, -9]])
def test_factors_of_any_kind_are_scaled_as_decimals(scale, factors):
    right = [float(Fraction(repr(scale)) * Fraction(repr(each))) for each in factors]
    assert _scaled(factors, "linear", scale).tolist() == right


@given(
    scale=st.floats(0, 1e6) | st.integers(0, 10**300),
    factor=st.floats(-1e6, 1e6).filter(lambda each: each != int(each)),
)
def test_products_with_the_scale_are_rounded_once(scale, factor):
    right = float(Fraction(repr(scale)) * Fraction(repr(factor)))
    assert _scaled([factor, factor], "linear", scale).tolist() == [right, right]
