"""The system calls that a player may not make, as the filter that bubblewrap loads.

Resource limits and the watch on memory see a process's own pages. The calls below would keep memory
elsewhere, build file systems and namespaces, or reach parts of the kernel that no player needs.
"""

from __future__ import annotations

import errno
import platform
import struct

# The number of each on x86_64 and on aarch64, None where it does not exist.
REFUSED: dict[str, tuple[int, int | None]] = {
    # Mounts and namespaces.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # Memory that belongs to no process.
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "vmsplice": (278, 75),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # Sockets: their buffers are memory, too, and they carry descriptors.
    "socket": (41, 198),
    "socketpair": (53, 199),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # The rest of the kernel.
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "syslog": (103, 116),
    "modify_ldt": (154, None),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "flock": (73, 32),
}
LOCKS = (6, 7, 37, 38, 1024, 1026)
"""Commands of fcntl: locks of both kinds, leases, notices. The kernel keeps a record of each lock,
and nothing limits their number."""
FCNTL = (72, 25)
MMAP = (9, 222)
SHARED, ANONYMOUS = 0x01, 0x20
"""Shared memory without a file stays when a process gives its pages back: the pages are nobody's
then, and no watch sees them."""
CLONE = (56, 220)
CLONE3 = 435
LAST_KNOWN = 441
"""Calls that are younger than epoll_pwait2 don't exist for a player, as on an older kernel."""
NEW_NAMESPACES = 0x7E020000
FIRST_OF_X32 = 0x40000000

# What `struct seccomp_data` begins with, and where the low halves of the arguments are.
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 24, 40
LOAD, EQUAL, GREATER, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
KILL, ALLOW = 0x80000000, 0x7FFF0000
REFUSE, ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}


def is_known(machine: str = "") -> bool:
    return (machine or platform.machine()) in ARCHITECTURES


def build_filter(machine: str = "") -> bytes:
    """The program for this machine's kernel, in the form that `bwrap --seccomp` reads."""
    architecture, column = ARCHITECTURES[machine or platform.machine()]
    numbers = [row[column] for row in REFUSED.values()]
    program = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, architecture, 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        *_when(GREATER, FIRST_OF_X32 - 1, KILL),
        *_when(GREATER, LAST_KNOWN, ABSENT),
        # A filter can't read the flags of clone3; the C library then uses clone.
        *_when(EQUAL, CLONE3, ABSENT),
    ]
    for number in numbers:
        if number is not None:
            program += _when(EQUAL, number, REFUSE)
    locks = [step for command in LOCKS for step in _when(EQUAL, command, REFUSE)]
    program += _by_argument(FCNTL[column], SECOND_ARGUMENT, locks)
    shared = [_step(ANY_BIT, SHARED, 0, 2), *_when(ANY_BIT, ANONYMOUS, REFUSE)]
    program += _by_argument(MMAP[column], FOURTH_ARGUMENT, shared)
    namespaces = _when(ANY_BIT, NEW_NAMESPACES, REFUSE)
    program += _by_argument(CLONE[column], FIRST_ARGUMENT, namespaces)
    program += [_step(RETURN, ALLOW)]
    return b"".join(program)


def _by_argument(number: int, argument: int, tests: list[bytes]) -> list[bytes]:
    """Steps that look at an argument of this call, and leave others as they are."""
    steps = [_step(LOAD, argument), *tests, _step(RETURN, ALLOW)]
    return [_step(EQUAL, number, 0, len(steps)), *steps]


def _when(test: int, value: int, answer: int) -> list[bytes]:
    return [_step(test, value, 0, 1), _step(RETURN, answer)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
