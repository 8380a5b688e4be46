"""Every call that changes what a file is known by, on one file: prints the errno of each, 0 for success."""
import ctypes, errno, os, platform, sys

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
AT_FDCWD, NOFOLLOW, EMPTY = -100, 0x100, 0x1000


def call(number, *args):
    result = libc.syscall(number, *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")


def attempt(name, act):
    try:
        act()
        print(name, 0)
    except OSError as error:
        print(name, errno.errorcode.get(error.errno, error.errno))


def forms(directory, name):
    path = os.path.join(directory, name)
    raw = path.encode()
    mode = os.stat(path).st_mode & 0o777
    times = (1e9, 1e9)
    fd = os.open(path, os.O_RDONLY)
    place = os.open(path, os.O_PATH)
    base = os.open(directory, os.O_PATH)
    link = os.open(path, os.O_PATH | os.O_NOFOLLOW)
    two = (ctypes.c_long * 4)(1000, 5, 2000, 7)
    fchmodat, fchownat, utimensat, fchmodat2 = (268, 260, 280, 452) if X86 else (53, 54, 88, 452)
    yield "chmod", lambda: os.chmod(path, mode)
    yield "fchmod", lambda: os.fchmod(fd, mode)
    yield "fchmod of a place", lambda: os.fchmod(place, mode)
    yield "chmod at", lambda: os.chmod(name, mode, dir_fd=base)
    yield "chmod at, absolute", lambda: call(fchmodat, -1, raw, mode)
    yield "chmod by /proc/self/fd", lambda: os.chmod(f"/proc/self/fd/{place}", mode)
    yield "chmod by /proc/PID/fd", lambda: os.chmod(f"/proc/{os.getpid()}/fd/{fd}", mode)
    yield "chmod by /dev/fd", lambda: os.chmod(f"/dev/fd/{fd}", mode)
    yield "chmod beneath /proc/self/fd", lambda: os.chmod(f"/proc/self/fd/{base}/{name}", mode)
    yield "fchmodat2", lambda: call(fchmodat2, base, name.encode(), mode, 0)
    yield "fchmodat2 of a descriptor", lambda: call(fchmodat2, place, b"", mode, EMPTY)
    yield "fchmodat2, flags", lambda: call(fchmodat2, base, name.encode(), mode, 1)
    yield "chown", lambda: os.chown(path, -1, -1)
    yield "chown to oneself", lambda: os.chown(path, os.getuid(), os.getgid())
    yield "lchown", lambda: os.lchown(path, os.getuid(), -1)
    yield "fchown", lambda: os.fchown(fd, -1, os.getgid())
    yield "fchownat", lambda: os.chown(name, -1, -1, dir_fd=base, follow_symlinks=False)
    yield "fchownat of a descriptor", lambda: call(fchownat, place, b"", -1, -1, EMPTY)
    yield "utime", lambda: os.utime(path, times)
    yield "utime, now", lambda: os.utime(path)
    yield "futimens", lambda: os.utime(fd, times)
    yield "utime at", lambda: os.utime(name, times, dir_fd=base)
    yield "utime of a link", lambda: os.utime(path, times, follow_symlinks=False)
    yield "utimensat of a descriptor", lambda: call(utimensat, place, b"", two, EMPTY)
    yield "setxattr", lambda: os.setxattr(path, "user.a", b"1")
    yield "lsetxattr", lambda: os.setxattr(path, "user.b", b"2" * 1000, follow_symlinks=False)
    yield "fsetxattr", lambda: os.setxattr(fd, "user.c", b"")
    yield "removexattr", lambda: os.removexattr(path, "user.a")
    yield "lremovexattr", lambda: os.removexattr(path, "user.b", follow_symlinks=False)
    yield "fremovexattr", lambda: os.removexattr(fd, "user.c")
    yield "through a held link", lambda: os.chmod(f"/proc/self/fd/{link}", mode)
    if X86:
        yield "utimes", lambda: call(235, raw, two)
        yield "futimesat", lambda: call(261, base, name.encode(), two)
        yield "futimesat of a descriptor", lambda: call(261, fd, None, two)
        yield "utime by number", lambda: call(132, raw, two)


def mistakes(directory, name):
    path = os.path.join(directory, name)
    far = ctypes.c_void_p(8)
    chmod, chown, utimes = (268, 260, 280) if X86 else (53, 54, 88)
    os.path.lexists("loop") or os.symlink("loop", "loop")
    os.path.lexists("dangling") or os.symlink("nowhere", "dangling")
    os.path.lexists("deep") or os.makedirs("deep/deeper")
    nano = (ctypes.c_long * 4)(1, 10**10, 1, 0)
    yield "nothing there", lambda: os.chmod("absent", 0o600)
    yield "no name", lambda: os.chmod("", 0o600)
    yield "no directory", lambda: os.chmod(path + "/x", 0o600)
    yield "a slash behind", lambda: os.chmod(path + "/", 0o600)
    yield "a loop", lambda: os.chmod("loop", 0o600)
    yield "a dangling link", lambda: os.chmod("dangling", 0o600)
    yield "the dangling link", lambda: os.lchown("dangling", -1, -1)
    yield "a long name", lambda: os.chmod("x" * 300, 0o600)
    yield "a long path", lambda: os.chmod("x/" * 3000, 0o600)
    yield "no memory", lambda: call(chmod, AT_FDCWD, far, 0o600)
    yield "no times", lambda: call(utimes, AT_FDCWD, path.encode(), far, 0)
    yield "wrong times", lambda: call(utimes, AT_FDCWD, path.encode(), nano, 0)
    yield "no descriptor", lambda: os.fchmod(999, 0o600)
    yield "no base", lambda: call(chmod, 999, b"x", 0o600)
    yield "a file for a base", lambda: call(chmod, os.open(path, os.O_RDONLY), b"x", 0o600)
    yield "another owner", lambda: os.chown(path, os.getuid() + 1, -1) if os.getuid() else call(chown, 999, b"x", 1, 1, 0)
    yield "an empty attribute", lambda: os.setxattr(path, "", b"")
    yield "a large attribute", lambda: os.setxattr(path, "user.x", b"x" * 70000)
    yield "an attribute that is not there", lambda: os.removexattr(path, "user.none")
    yield "a directory", lambda: os.chmod("deep/deeper/../../deep", 0o750)


kind, directory, name = sys.argv[1:]
for title, act in {"forms": forms, "mistakes": mistakes}[kind](directory, name):
    attempt(title, act)
