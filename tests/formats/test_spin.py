"""Spin glasses of Goldman and of DSMGA-II: energies, minimised."""

import pytest

from nk_files import DSMGA2_SPIN, GOLDMAN_SPIN, assert_values, refused, written
from paretoball import read_landscape, supported_front

OLDER = GOLDMAN_SPIN.replace("\n5\n", "\n")


def energy(text: str, skipped: int, base: int, x: tuple) -> list[float]:
    """-sum J s s, with s = 2x - 1."""
    total = 0.0
    for line in text.splitlines()[skipped:]:
        i, j, J = line.split()
        s = [2 * x[int(spin) - base] - 1 for spin in (i, j)]
        total -= float(J) * s[0] * s[1]
    return [total]


@pytest.mark.parametrize(
    ("text", "skipped", "base"),
    [(GOLDMAN_SPIN, 2, 0), (OLDER, 1, 0), (DSMGA2_SPIN, 2, 1)],
)
def test_the_objective_is_the_energy(tmp_path, text, skipped, base):
    landscape = read_landscape(written(tmp_path / "a", text))
    assert (landscape.n, landscape.sense) == (4, ("min",))
    assert_values(landscape, lambda x: energy(text, skipped, base, x))


def test_the_energies_in_our_files_are_right(tmp_path):
    goldman = read_landscape(written(tmp_path / "a", GOLDMAN_SPIN))
    assert goldman.evaluate([1, 0, 1, 0]).tolist() == [-6]
    assert supported_front(goldman).F.tolist() == [[-6]]
    dsmga2 = read_landscape(written(tmp_path / "b", DSMGA2_SPIN))
    assert supported_front(dsmga2).F.tolist() == [[4 * -1.25]]


def test_couplings_may_be_real_and_repeated(tmp_path):
    text = "3\n-1\n1 2 0.5\n2 1 0.25\n2 3 -0.1\n"
    landscape = read_landscape(written(tmp_path / "a", text))
    assert landscape.evaluate([1, 1, 1]).tolist() == [-0.65]


DAMAGE = [
    (GOLDMAN_SPIN, "-6 1010", "x 1010", 1, "'x' at column 1 is not a number"),
    (GOLDMAN_SPIN, "-6 1010", "-6", 1, "the line has 1 word, not 2"),
    (
        GOLDMAN_SPIN,
        "-6 1010",
        "-6 1012",
        1,
        "'1012' at column 4 is not a solution of 4",
    ),
    (
        GOLDMAN_SPIN,
        "-6 1010",
        "-6 101",
        6,
        "'3' at column 1 is not one of the variables",
    ),
    (
        GOLDMAN_SPIN,
        "\n5\n",
        "\n6\n",
        2,
        "it says 6 couplings, but there are 5 couplings",
    ),
    (GOLDMAN_SPIN, "\n5\n", "\n4\n", 2, "it says 4 couplings, but there are 5 coup"),
    (GOLDMAN_SPIN, "\n5\n", "\n5.0\n", 2, "'5.0' at column 1 is not a whole number"),
    (GOLDMAN_SPIN, "0 1 -1", "1 1 -1", 3, "'1' at column 3 is coupled with itself"),
    (GOLDMAN_SPIN, "0 1 -1", "0 1 NaN", 3, "'NaN' at column 5 is not a number"),
    (GOLDMAN_SPIN, "0 1 -1", "0 1", 3, "the line has 2 words, not 3"),
    (
        GOLDMAN_SPIN,
        "0 1 -1",
        "0 4 -1",
        3,
        "'4' at column 3 is not one of the variables 0",
    ),
    (
        OLDER,
        "0 1 -1",
        "0 4 -1",
        2,
        "'4' at column 3 is not one of the variables 0 to 3",
    ),
    (DSMGA2_SPIN, "4\n", "4.5\n", 1, "'4.5' at column 1 is not a whole number"),
    (DSMGA2_SPIN, "4\n", "0\n", 1, "n = 0, but it must be at least 1"),
    (
        DSMGA2_SPIN,
        "4\n",
        "3\n",
        6,
        "'4' at column 1 is not one of the variables 1 to 3",
    ),
    (DSMGA2_SPIN, "-1.25", "best", 2, "'best' at column 1 is not a number"),
    (DSMGA2_SPIN, "1 2  ", "0 2  ", 3, "'0' at column 1 is not one of the variables 1"),
    (DSMGA2_SPIN, "1 2  ", "2 2  ", 3, "'2' at column 3 is coupled with itself"),
]


@pytest.mark.parametrize(("sound", "old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, sound, old, new, line, text):
    assert old in sound
    name = "spin-dsmga2" if sound is DSMGA2_SPIN else "spin-goldman"
    refused(tmp_path / "bad", sound.replace(old, new, 1), name, line, text)


@pytest.mark.parametrize("text", ["-6 1010\n", "-6 1010\n0\n", "4\n-1\n"])
def test_files_without_couplings_are_refused(tmp_path, text):
    name = "spin-goldman" if "1010" in text else "spin-dsmga2"
    refused(tmp_path / "bad", text, name, 0, "it has no couplings")


@pytest.mark.parametrize(("name", "lowest"), [("16", -20), ("100", -140)])
def test_solutions_in_goldmans_samples_have_their_energies(shared_folder, name, lowest):
    path = shared_folder / "data" / "nk" / f"IsingSpinGlass_pm_{name}_0.txt"
    landscape = read_landscape(path)
    told, bits = path.read_text().split()[:2]
    assert int(told) == lowest
    assert landscape.evaluate([int(bit) for bit in bits]).tolist() == [lowest]
    if name == "16":
        assert supported_front(landscape).F.tolist() == [[lowest]]


@pytest.mark.long
def test_the_lowest_energy_of_a_larger_sample_is_the_known_one(shared_folder):
    path = shared_folder / "data" / "nk" / "IsingSpinGlass_pm_100_0.txt"
    assert supported_front(read_landscape(path)).F.tolist() == [[-140]]


def test_the_lowest_energy_of_a_dsmga2_sample_is_the_known_one(shared_folder):
    path = shared_folder / "data" / "nk" / "dsmga2_spin_36_1"
    told = float(path.read_text().split()[1])
    assert supported_front(read_landscape(path)).F.tolist() == [[round(36 * told)]]
    assert round(36 * told) == -48
