"""The soak with a few bits, and proof that its checks notice what is wrong."""

import json
import logging
import sys
from dataclasses import replace

import numpy as np
import pytest
import soak
from soak_kinds import GB, KINDS

import naive
from clocks import Ticks
from landscapes import solutions_of
from paretoball.running.status import TIME, WHOLE

GOOD = soak.Facts(
    kind="knapsack",
    n=5000,
    d=2,
    asked=300.0,
    taken=300.4,
    told=300.3,
    wall=301.0,
    compiling=0.0,
    silence=0.2,
    limit=GB,
    peak=GB // 2,
    early=GB // 4,
    late=GB // 8,
    front=90,
    rows=50,
    moves=10**9,
    status=TIME,
)


@pytest.mark.parametrize("name", KINDS)
def test_definitions_and_landscapes_agree(name):
    rng = np.random.default_rng(1)
    landscape, value, violated = KINDS[name].make(KINDS[name].tiny)
    for share in (0.0, 0.1, 0.5, 0.9):
        x = rng.random(landscape.n) < share
        assert list(map(float, value(x))) == landscape.evaluate(x).tolist()
        assert violated(x) == np.count_nonzero(landscape.violation(x))


def test_a_run_in_this_process_is_observed():
    facts = soak.observed("ring-20000", seconds=0.2, n=12)
    json.dumps(facts)
    facts.pop("began")
    facts.pop("checking")
    found = soak.Facts(wall=facts["taken"], **facts)
    assert found.wrong == ""
    assert found.front >= found.rows > 0
    assert found.taken > 0
    assert found.told > 0


@pytest.mark.long
def test_all_kinds_are_tried_in_processes_of_their_own(capfd, monkeypatch):
    monkeypatch.setattr(soak, "allowance", lambda seconds: 600.0)
    monkeypatch.setattr(soak, "SILENCE", 600.0)
    monkeypatch.setattr(soak, "EARLIEST", 0.0)
    assert soak.report(list(KINDS), 2, 1.0, 1, tiny=True) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines[1:-2]] == list(KINDS)
    assert lines[-2:] == ["soak: kinds: 10", "soak: failed: 0"]


def test_a_process_that_fails_is_told(capsys, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert soak.report(["knapsack"], 1, 1.0, 1, tiny=True) == 1
    said = capsys.readouterr()
    assert said.err.startswith("soak of knapsack: ")
    assert said.out.endswith("soak: failed: 1\n")


# --- Limits, memory, silence.


def test_what_holds_is_no_failure():
    assert soak.failures(GOOD) == []
    assert soak.failures(replace(GOOD, taken=1.0, told=1.0, status=WHOLE)) == []
    assert soak.failures(replace(GOOD, front=7, rows=7)) == []
    edge = replace(GOOD, taken=303.0, told=303.0, silence=2.0, peak=GB)
    assert soak.failures(edge) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"taken": 303.1, "told": 303.1}, "took 303.10 s of 300 s"),
        ({"wall": 309.0}, "its process ended after 309.00 s of 300 s"),
        ({"taken": 200.0, "told": 200.0}, "ended after 200.00 s: time is up"),
        ({"told": 290.0}, "took 300.40 s, but its result says 290.00"),
        ({"silence": 2.1}, "was silent for 2.10 s"),
        ({"peak": GB + soak.MIB}, "took 954 MiB of 953 MiB"),
        ({"early": 0, "late": 129 << 20}, "grew by 129 MiB in its second half"),
        ({"rows": 49}, "49 rows of 90 were checked"),
        ({"front": 0, "rows": 0}, "0 rows of 0 were checked"),
        ({"wrong": "row 3 is dominated"}, "row 3 is dominated"),
    ],
)
def test_what_does_not_hold_is_told(change, told):
    (found,) = soak.failures(replace(GOOD, **change))
    assert found.startswith(told)


def test_a_short_limit_may_be_missed_by_a_quarter_of_a_second():
    assert soak.allowance(1.0) == 0.25
    assert soak.allowance(300.0) == 3.0


def test_the_longest_pause_counts_and_compilation_does_not():
    clock = Ticks(0.0)
    timeline = soak.Timeline(clock)
    for seconds, event in ((1, "hear"), (3, "hear"), (2, "hear"), (9, "compiled")):
        clock.now += seconds
        getattr(timeline, event)()
    assert (timeline.silence, timeline.compiling, timeline.taken()) == (3, 9, 6)


def test_lines_and_kernels_are_heard_and_nothing_is_shown(capsys):
    log = logging.getLogger("paretoball._jit")
    with soak.listening() as timeline:
        timeline.clock = Ticks()
        timeline.last = 0.0
        print("half of it", file=sys.stderr)
        heard = timeline.last
        log.info("compiling %s", "climb")
        assert timeline.last == heard + 1
        log.info("compiled %s in %.1f s", "climb", 1.0)
        assert timeline.compiling == 1
    assert heard >= 1
    assert capsys.readouterr().err == ""


def test_a_peak_is_seen_and_a_new_one_begins():
    soak.forget_peak()
    before = soak.memory("VmHWM")
    with soak.sampling(3600.0) as samples:
        block = np.ones(64 << 20, np.uint8)
    assert samples[-1] - samples[0] > 48 << 20
    del block
    assert soak.memory("VmHWM") - before > 48 << 20


# --- Rows.


class Rows:
    """Stands in for a result with these solutions."""

    def __init__(self, case, X):
        self.X = np.array(X, np.bool_)
        self.F = case.landscape.evaluate(self.X)
        self.sense = case.landscape.sense

    def __len__(self):
        return len(self.X)

    def solutions(self, at):
        return self.X[at]


def front_of(case):
    """The rows of the whole front of a tiny landscape, by brute force."""
    X = [x for x in solutions_of(case.landscape.n) if not case.violated(x == 1)]
    F = case.landscape.evaluate(np.array(X))
    front = set(naive.pareto_front(F, case.landscape.sense))
    found = {tuple(fx): x for fx, x in zip(F.tolist(), X) if tuple(fx) in front}
    return Rows(case, list(found.values()))


@pytest.fixture(params=["ring-20000", "dense-3000"])
def found(request):
    """A case to maximise or to minimise, and its front."""
    case = KINDS[request.param].make(10)
    return case, front_of(case)


def test_rows_of_a_front_are_right(found):
    case, rows = found
    assert len(rows) > 1
    assert soak.wrong_rows(case, rows, 50) == ""


def test_a_wrong_value_is_noticed(found):
    case, rows = found
    for x in rows.X:
        for i in range(2):
            alone = Rows(case, [x])
            alone.F[0, i] += 1
            assert soak.wrong_rows(case, alone, 50).startswith("row 0 has ")


def test_a_dominated_row_and_one_that_is_there_twice_are_noticed(found):
    case, rows = found
    twice = Rows(case, [*rows.X, rows.X[0]])
    assert "is dominated, or there twice" in soak.wrong_rows(case, twice, 50)
    worse = [
        x
        for x in solutions_of(10)
        if not case.violated(x == 1)
        and naive.dominates(rows.F[0], case.landscape.evaluate(x), rows.sense)
    ]
    dominated = Rows(case, [*rows.X, worse[0]])
    said = soak.wrong_rows(case, dominated, 50)
    assert said == f"row {len(rows)} is dominated, or there twice"


@pytest.mark.parametrize(("name", "bit"), [("knapsack", 1), ("covering", 0)])
def test_a_row_that_is_not_feasible_is_noticed(name, bit):
    case = KINDS[name].make(10)
    said = soak.wrong_rows(case, Rows(case, [[bit] * 10]), 50)
    assert said == "row 0 violates 2 constraints"


def test_only_so_many_rows_are_looked_at(found):
    case, rows = found
    looked = []
    counting = case._replace(value=lambda x: looked.append(x) or case.value(x))
    assert soak.wrong_rows(counting, rows, 2) == ""
    assert len(looked) == 2
