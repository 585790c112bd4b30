"""Isolation where bubblewrap is missing: as much as the kernel gives without root.

Run as a script it confines itself step by step and then becomes the command it was given. Each
step is tried by itself; `--probe` prints those that this machine grants.
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
MS_REC_PRIVATE = 0x4000 | 0x40000
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
READ, ANYTHING = 0b1101, (1 << 13) - 1  # execute, read file, read directory / all of ABI 1


def libc():
    return ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def namespaces():
    """A user, process, network, mount and IPC space of its own; the caller becomes nobody in it."""
    uid, gid = os.getuid(), os.getgid()
    checked(libc().unshare(NEWUSER | NEWPID | NEWNET | NEWNS | NEWIPC | NEWUTS))
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"65534 {uid} 1")
    write("/proc/self/gid_map", f"65534 {gid} 1")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def own_proc():
    checked(libc().mount(b"none", b"/", None, MS_REC_PRIVATE, None))
    checked(libc().mount(b"proc", b"/proc", b"proc", 0, None))


def landlock(readable, writable):
    """From now on only these files can be opened."""
    call = libc().syscall
    rules = struct.pack("Q", ANYTHING)
    ruleset = call(LANDLOCK_CREATE, rules, len(rules), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "no landlock")
    for paths, rights in ((readable, READ), (writable, ANYTHING)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
                allowed = rights if os.path.isdir(path) else rights & 0b111
                rule = struct.pack("=Qi", allowed, descriptor)
                checked(call(LANDLOCK_ADD, ruleset, 1, rule, 0))
                os.close(descriptor)
    checked(libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    checked(call(LANDLOCK_RESTRICT, ruleset, 0))
    os.close(ruleset)


def confine(readable, writable):
    """Take every step that is granted; returns their names. Must be followed by exec."""
    granted = []
    try:
        namespaces()
        granted += ["no network", "own process space"]
    except OSError:
        pass
    else:
        as_first_process()
        with contextlib.suppress(OSError):
            own_proc()
            granted.append("own /proc")
    with contextlib.suppress(OSError):
        landlock(readable, writable)
        granted.append("files restricted by Landlock")
    return granted


def as_first_process():
    """Go on as the first process of the new process space; the old one waits for its end."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(arguments):
    probe = arguments == ["--probe"]
    split = len(arguments) if probe else arguments.index("--")
    paths = [] if probe else arguments[:split]
    readable = [*paths, "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/proc"]
    granted = confine(readable, ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"])
    if probe:
        os.write(1, ", ".join(granted).encode())
        os._exit(0)
    command = arguments[split + 1 :]
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
