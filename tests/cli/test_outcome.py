"""Outcomes: exit codes, and files that must not be overwritten."""

from types import SimpleNamespace

import pytest

from paretoball.cli.outcome import check_apart, exit_code


@pytest.mark.parametrize(
    ("noted", "failed", "code"),
    [
        ([], False, 0),
        ([], True, 1),
        (["interrupted"], False, 130),
        (["terminated", "interrupted"], False, 143),  # the first is why it ended
        (["interrupted", "terminated"], True, 130),
    ],
)
def test_the_exit_code_is_that_of_the_first_signal_or_of_a_failure(noted, failed, code):
    assert exit_code(SimpleNamespace(failed=failed), noted) == code


def test_an_instance_is_not_overwritten_by_whatever_name(tmp_path):
    instance, link = tmp_path / "mnk.npz", tmp_path / "link.npz"
    instance.write_bytes(b"instance")
    link.symlink_to(instance)
    detour = f"{tmp_path}/../{tmp_path.name}/mnk.npz"
    for output in (str(instance), str(link), detour):
        with pytest.raises(ValueError, match="it is the instance"):
            check_apart(str(instance), output)
    check_apart(str(instance), str(tmp_path / "run.npz"))
    (tmp_path / "run.npz").write_bytes(b"instance")
    check_apart(str(instance), str(tmp_path / "run.npz"))
