"""A small share of the mutants of `make audit`, and proof that faults are noticed."""

import re
import sys
import warnings
from multiprocessing import get_context

import mutations
import numpy as np
import pytest

from paretoball import cli
from shares import first

BUSY = mutations.Patience(command=300.0, mutant=900.0)  # also beside other tests


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> list[mutations.Sound]:
    return mutations.sound_files(tmp_path_factory.mktemp("sound"), seed=0)


@pytest.mark.parametrize("numbers", first(1, [range(30), range(30, 100)]), ids=str)
def test_mutants_are_read_or_refused_in_one_line(tmp_path, numbers):
    found = list(mutations.outcomes(tmp_path, 0, numbers, BUSY))
    assert [each.number for each in found] == list(numbers)
    assert [each.wrong for each in found if each.wrong] == []
    assert 0 < sum(each.parsed for each in found) < len(numbers)


def test_a_mutant_is_a_pure_function_of_its_seed_and_number(files, tmp_path):
    again = mutations.sound_files(tmp_path, seed=0)
    for number in range(50):
        content = mutations.mutant(files, 0, number)[1]
        assert content == mutations.mutant(again, 0, number)[1]
        assert content != mutations.mutant(files, 1, number)[1]


@pytest.mark.long
def test_sound_files_are_read(files):
    for sound in dict.fromkeys(files):
        for command in mutations.commands(sound, sound.path):
            call = mutations.called(command)
            assert (call.code, call.err) == (0, "")
            assert mutations.fault(command, call, BUSY) == ""


def raising(_):
    raise KeyError("n")


def warning(_):
    warnings.warn("overflow", RuntimeWarning, stacklevel=1)
    return 0


def telling_twice(_):
    sys.stderr.write("paretoball: it is bad\nand worse\n")
    return 2


def telling_nothing(_):
    return 2


@pytest.mark.parametrize("main", [raising, warning, telling_twice, telling_nothing])
def test_what_a_command_does_wrong_is_noticed(files, monkeypatch, main):
    monkeypatch.setattr(cli, "main", main)
    assert "--seed 0 --only 5" in mutations.outcome(files, 0, 5, BUSY).wrong


def test_time_and_memory_are_noticed(files, monkeypatch):
    none = mutations.Patience(command=-1.0)
    assert re.search("takes [0-9.]+ s$", mutations.outcome(files, 0, 5, none).wrong)
    monkeypatch.setattr(mutations, "MEMORY", 1000)
    assert re.search("takes [0-9]+ MiB$", mutations.outcome(files, 0, 5, BUSY).wrong)


def peak_of_a_child(sender) -> None:
    sender.send(mutations.peak_memory())


@pytest.mark.long
def test_memory_of_those_who_start_a_process_is_none_of_its_own():
    large = np.ones(600 << 20, np.uint8)
    receiver, sender = get_context("spawn").Pipe(duplex=False)
    child = get_context("spawn").Process(target=peak_of_a_child, args=(sender,))
    child.start()
    assert receiver.recv() < large.nbytes <= mutations.peak_memory()
    child.join()


class Pipe:
    """A process that tells of one mutant and then of nothing."""

    def __init__(self, crashes: bool):
        self.crashes = crashes
        self.told = [mutations.Outcome(7, True, 0.1, 10, "")]

    def poll(self, _: float) -> bool:
        return bool(self.told) or self.crashes

    def recv(self) -> mutations.Outcome:
        if not self.told:
            raise EOFError
        return self.told.pop()


@pytest.mark.parametrize("crashes", [False, True])
def test_hangs_and_crashes_are_noticed(crashes):
    left = [7, 8, 9]
    found = list(mutations.watched(Pipe(crashes), 3, left))
    assert [each.number for each in found] == [7, 8]
    assert found[0].wrong == ""
    assert found[1].wrong.startswith("--seed 3 --only 8: ")
    assert left == [9]


def test_a_fault_is_told_and_changes_the_exit_code(capsys):
    found = mutations.Outcome(7, True, 2.5, 10 << 20, "")
    assert mutations.summary(3, iter([found])) == 0
    assert mutations.summary(3, iter([found, found._replace(wrong="it hangs")])) == 1
    out, err = capsys.readouterr()
    last = out.split("mutants of seed 3: ")[-7:]
    assert last[:4] == ["mutants: 2\n", "parsed: 2\n", "refused: 0\n", "faults: 1\n"]
    assert last[4:6] == [
        "slowest command in seconds: 2.50\n",
        "peak memory in MiB: 10\n",
    ]
    assert err == "it hangs\n"
