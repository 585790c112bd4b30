from __future__ import annotations

import os
from pathlib import Path

import pytest

from minesite.unix_sockets import LONGEST, make_folder, socket_path


def test_a_path_too_long_for_a_socket_is_replaced_by_a_short_one_of_its_own(tmp_path: Path):
    near = socket_path(Path("/srv/var"), "web", "1.sock")
    assert near == Path("/srv/var/web/1.sock")
    deep = tmp_path / ("long" * 30)
    first, again, second = (socket_path(deep, "web", f"{n}.sock") for n in (1, 1, 2))
    assert first == again != second
    assert len(os.fsencode(first)) <= LONGEST
    assert first != socket_path(deep / "other", "web", "1.sock")


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch):
    socket = tmp_path / "web" / "1.sock"
    make_folder(socket)
    assert socket.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(os, "getuid", lambda: socket.parent.stat().st_uid + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        make_folder(socket)
