"""Outcomes: exit codes, and files that must not be overwritten."""

from types import SimpleNamespace

import pytest

from paretoball.cli.outcome import check_apart, check_output, exit_code, in_words


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


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("n = 0"), "n = 0"),
        (ValueError(), "ValueError"),
        (OSError("odd"), "odd"),
        (OSError(), "OSError"),
        (OSError(28, "No space left"), "No space left"),
        (OSError(28, "No space left", "a.npz"), "a.npz: No space left"),
    ],
)
def test_an_error_is_told_with_its_file_or_at_least_its_kind(error, words):
    assert in_words(error) == words


def test_an_output_has_one_of_the_suffixes(tmp_path):
    for name in ("a.png", "a.svg"):
        check_output(str(tmp_path / name), ".png", ".svg")
    for name in ("a.pdf", "png", "a.png.gz"):
        with pytest.raises(ValueError, match=r"its name should end in \.png or \.svg"):
            check_output(str(tmp_path / name), ".png", ".svg")
    assert not list(tmp_path.iterdir())


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
