"""Folders of code that is run: closed to other users, and refused if they are not."""

import errno
import os
import stat
from pathlib import Path

PRIVATE = 0o700  # the mode of folders that only their owner may enter


def make_folders(folder: Path) -> None:
    """Make the folder of kernels and those above it, closed to other users."""
    above = folder.parent
    for each in (*reversed(above.parents), above, folder):
        if not each.is_dir():
            each.mkdir(mode=PRIVATE, exist_ok=True)
    if os.name == "posix" and os.lstat(above).st_uid == os.geteuid():
        os.chmod(above, PRIVATE)  # an earlier version made it by the umask
    check_folders(folder)


def check_folders(folder: Path) -> None:
    """Refuse a folder of kernels into which another user could have put some.

    The folder that the user named is above them: others may write there if they cannot
    rename what is ours, as in the system's temporary folder.
    """
    for each in (folder.parent.parent, folder.parent, folder):
        for found in (os.lstat(each), os.stat(each)):  # of a link, and where it leads
            check_ours(found, each, is_above=each == folder.parent.parent)


def check_ours(
    found: os.stat_result, path: Path | None = None, is_above: bool = False
) -> None:
    """Refuse what another user owns, the system aside, or may write."""
    if os.name != "posix":
        return
    if found.st_uid not in (0, os.geteuid()):
        raise OSError(errno.EPERM, "another user owns it", path)
    others = stat.S_IWOTH if is_above else stat.S_IWGRP | stat.S_IWOTH
    is_sticky = is_above and found.st_mode & stat.S_ISVTX
    if found.st_mode & others and not (is_sticky or stat.S_ISLNK(found.st_mode)):
        raise OSError(errno.EPERM, "other users may write it", path)
