"""Tables of fronts: room is as large as told, in bytes."""

import numpy as np
import pytest

from paretoball.exact.front_merging import new_seen, room_of, seen_bytes
from paretoball.exact.front_tables import (
    Fronts,
    chosen_room,
    copied_fronts,
    more_bytes,
    new_space,
    with_more,
)


def arrays_of(space):
    """All arrays of a space."""
    return [*space[:-1], *space.seen]


@pytest.mark.parametrize("d", [2, 3, 4, 7])
def test_more_room_takes_the_bytes_told(d):
    caps = np.full(d, 2**62)
    for values, work, points in [
        (0, 0, 0),
        (1, 0, 0),
        (5000, 100, 7),
        (0, 5000, 0),
        (0, 0, 5000),
        (900, 3000, 12_345),
    ]:
        space = new_space(caps, 3)
        more = with_more(space, values, work, points)
        old = set(map(id, arrays_of(space)))
        new = sum(each.nbytes for each in arrays_of(more) if id(each) not in old)
        assert more_bytes(space, values, work, points) == new
        assert len(more.values) >= values
        assert len(more.work) >= work
        assert d == 2 or room_of(more.seen) >= points
        assert more_bytes(more, values, work, points if d > 2 else 0) == 0


def test_what_is_in_a_space_stays_where_it_gets_more_room():
    space = with_more(new_space(np.full(3, 2**62), 3), 50, 0, 0)
    space.values[:], space.work[:] = 7, 8
    space.seen.state[:] = 9
    more = with_more(space, 99, 5000, 9999)
    assert (more.values[:50] == 7).all()
    assert (more.work[: len(space.work)] == 8).all()
    assert (more.seen.state == 9).all()


@pytest.mark.parametrize("d", [2, 3, 6])
@pytest.mark.parametrize("points", [0, 1, 15, 16, 17, 1000])
def test_points_that_were_seen_take_the_bytes_told(d, points):
    seen = new_seen(np.full(d, 2**62), points)
    taken = sum(each.nbytes for each in seen) - seen.caps.nbytes - seen.state.nbytes
    assert seen_bytes(d, points) == taken
    assert d == 2 or room_of(seen) >= points


def test_tables_and_spaces_tell_all_their_bytes():
    space = with_more(new_space(np.full(3, 2**62), 4), 100, 3000, 700)
    assert space.nbytes == sum(each.nbytes for each in arrays_of(space))
    space.at[:5] = [0, 3, 3, 6, 12]
    space.values[:] = np.arange(100)
    table = copied_fronts(space, 2)
    assert table.nbytes == 8 * (5 + 12)
    assert table.at.tolist() == [0, 3, 3, 6, 12]
    assert table.values.tolist() == list(range(12))


def test_a_choice_has_room_for_every_front_that_it_may_read():
    read = Fronts(np.array([0, 4, 10]), np.arange(10))
    assert chosen_room(read, bits=1, read_bits=0b1) == 10
    assert chosen_room(read, bits=3, read_bits=0b1) == 40
