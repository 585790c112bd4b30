"""Isolation where bubblewrap is missing: as much as the kernel gives.

Run as a script it takes the steps that it is told and then becomes the command it was given; a step
that fails ends it before that. `--probe` prints the steps that this machine grants.
"""

import contextlib
import ctypes
import os
import signal
import struct
import sys

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = (
    0x1,
    0x2,
    0x4,
    0x8,
    0x1000,
    0x4000,
    0x40000,
)
MNT_DETACH, AT_FDCWD, AT_RECURSIVE = 2, -100, 0x8000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
MOUNT_SETATTR, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 442, 444, 445, 446
# Rights of Landlock: execute, write file, read file, read directory, ..., truncate, ioctl.
READ, OF_FILES = 0b1101, 0b111 | 0b11 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}

SCRATCH = "/tmp"  # noqa: S108 - inside the sandbox, in memory, gone with the process
SCRATCH_BYTES = 16 * 1024 * 1024
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
STEPS = ("spaces", "files", "landlock")


def libc():
    return ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def prctl(option, value):
    checked(libc().prctl(option, value, 0, 0, 0))


def mount(source, target, kind=None, flags=0, data=None):
    names = [None if text is None else text.encode() for text in (source, target, kind, data)]
    checked(libc().mount(*names[:3], ctypes.c_ulong(flags), names[3]))


def spaces():
    """Process, network, mount and IPC spaces of its own: as root directly, else as nobody in a user
    space of its own, too."""
    own = NEWPID | NEWNET | NEWNS | NEWIPC | NEWUTS
    uid, gid = os.getuid(), os.getgid()
    if libc().unshare(own) == 0:
        return
    checked(libc().unshare(NEWUSER | own))
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"65534 {uid} 1")
    write("/proc/self/gid_map", f"65534 {gid} 1")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def own_files(bound):
    """A root of its own, in memory, with nothing in it but these, {path outside: path inside}: they
    can only be read, and what is written to the scratch space goes with the process."""
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    sources = [(os.open(path, os.O_PATH), bound[path]) for path in filter(os.path.exists, bound)]
    root = SCRATCH
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for source, path in sources:
        if os.path.isdir(f"/proc/self/fd/{source}"):
            os.makedirs(root + path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.close(os.open(root + path, os.O_CREAT | os.O_WRONLY))
        mount(f"/proc/self/fd/{source}", root + path, None, MS_BIND | MS_REC)
    for folder in ("/proc", SCRATCH):
        os.makedirs(root + folder, exist_ok=True)
    with contextlib.suppress(OSError):  # refused where parts of it are hidden; then there is none
        mount("proc", root + "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    attributes = struct.pack("QQQQ", MS_RDONLY | MS_NOSUID, 0, 0, 0)
    call = libc().syscall
    checked(call(MOUNT_SETATTR, AT_FDCWD, root.encode(), AT_RECURSIVE, attributes, 32))
    scratch = f"mode=1777,size={SCRATCH_BYTES}"
    mount("tmpfs", root + SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, scratch)
    os.chdir(root)
    checked(call(PIVOT_ROOT[os.uname().machine], b".", b"."))
    checked(libc().umount2(b".", MNT_DETACH))
    os.chdir(SCRATCH)


def landlock(readable, writable):
    """From now on only these files can be opened; no TCP, no signals to others where it knows."""
    call = libc().syscall
    version = checked(call(LANDLOCK_CREATE, None, 0, 1))
    anything = (1 << RIGHTS.get(version, 16)) - 1
    rules = struct.pack("QQQ", anything, 3 * (version >= 4), 3 * (version >= 6))
    ruleset = checked(call(LANDLOCK_CREATE, rules, 8 if version < 4 else len(rules), 0))
    for paths, rights in ((readable, READ), (writable, anything)):
        for path in filter(os.path.exists, paths):
            descriptor = os.open(path, os.O_PATH)
            allowed = rights if os.path.isdir(path) else rights & OF_FILES & anything
            checked(call(LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", allowed, descriptor), 0))
            os.close(descriptor)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    checked(call(LANDLOCK_RESTRICT, ruleset, 0))
    os.close(ruleset)


def confine(steps, bound):
    """Take these steps and go on as a process that another one watches."""
    apart, readable, writable = "spaces" in steps, [*bound], [*DEVICES]
    if apart:
        spaces()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    go_on_as_child()
    if apart:
        # The first of its process space, which no signal from inside reaches: all in it end with
        # it, and it ends with its parent.
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if "files" in steps:
            own_files(bound | dict(zip(DEVICES, DEVICES, strict=True)))
            readable, writable = ["/"], [*DEVICES, SCRATCH]
        go_on_as_child()
    if "landlock" in steps:
        landlock(readable, writable)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def go_on_as_child():
    """The parent waits for the child's end, ends all that it left behind, and ends like it."""
    child = os.fork()
    if not child:
        return
    prctl(PR_SET_DUMPABLE, 0)  # nobody looks into it
    for inherited in (0, 1):
        os.close(inherited)
    ended = status = 0
    while ended != child:
        ended, status = os.wait()
    with contextlib.suppress(OSError):
        while True:
            for orphan in children():
                os.kill(orphan, signal.SIGKILL)
            os.wait()
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(word) for word in file.read().split()]


def probe(bound):
    """The steps that work here, each tried after those before it, by a process of its own."""
    granted = []
    for step in STEPS:
        if step == "files" and "spaces" not in granted:
            continue
        child = os.fork()
        if not child:
            try:
                confine([*granted, step], bound)
                os._exit(0)
            except BaseException:
                os._exit(1)
        if os.waitpid(child, 0)[1] == 0:
            granted.append(step)
    return granted


def main(arguments):
    split = arguments.index("--")
    steps, paths, command = arguments[0], arguments[1:split], arguments[split + 1 :]
    bound = dict(zip(paths[::2], paths[1::2], strict=True))
    if steps == "--probe":
        print(",".join(probe(bound)))
        return
    confine(steps.split(","), bound)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
