"""Where the private Redis of a DATA_DIR listens."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

# A unix socket's address holds 108 bytes on Linux, 104 on macOS, with the closing zero.
LONGEST = 100


def socket_path(data_dir: Path) -> Path:
    """The same path for the same DATA_DIR, always: commands find the running site by it."""
    path = data_dir / "redis" / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST:
        return path
    name = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"minesite-{os.getuid()}-{name}" / "redis.sock"
