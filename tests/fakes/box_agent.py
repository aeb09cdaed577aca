# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""First process (pid 1) of a fake sandbox; box.py starts it inside bubblewrap.

It starts commands, opens files and runs the service's own functions (inside.py of the service, put
behind this text) where paths, users and process ids are those of the sandbox. Requests come as
length-prefixed JSON on one socket, file descriptors with them; ends of processes go out on another.
"""
import array
import ctypes
import errno
import fcntl
import grp
import json
import os
import pwd
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import threading

CONTROL = socket.socket(fileno=int(sys.argv[1]))
EVENTS = socket.socket(fileno=int(sys.argv[2]))
LOCK = threading.Lock()
OURS = set()
EARLY = {}
IS_ROOT = os.geteuid() == 0
# What a command sends to its process group must not reach bubblewrap, which would end the sandbox.
if os.getpgrp() != os.getpid():
    os.setsid()
signal.signal(signal.SIGINT, lambda *_: None)


def say(event):
    try:
        EVENTS.sendall(json.dumps(event).encode() + b"\n")
    except OSError:
        os._exit(0)


def reap():
    """Waits for every child, orphans too, and tells of those that were asked for."""
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            WAKE.wait()
            WAKE.clear()
            continue
        with LOCK:
            if pid in OURS:
                OURS.discard(pid)
            else:
                EARLY[pid] = status
                continue
        say({"exit": pid, "status": status})


WAKE = threading.Event()


def do_spawn(request, fds):
    terminal = request.get("pty")
    handed = None
    if terminal:
        handed, near = os.openpty()
        size = struct.pack("HHHH", terminal["rows"], terminal["cols"], 0, 0)
        fcntl.ioctl(handed, termios.TIOCSWINSZ, size)
        if IS_ROOT:
            os.fchown(near, request["uid"], request["gid"])
        fds = [near, near, near]
    more = {}
    if IS_ROOT:
        more = {"user": request["uid"], "group": request["gid"], "extra_groups": []}
    if terminal:
        more["preexec_fn"] = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    try:
        with LOCK:
            EARLY.clear()
            child = subprocess.Popen(
                request["argv"], cwd=request["cwd"], env=request["env"], stdin=fds[0],
                stdout=fds[1], stderr=fds[2],
                start_new_session=bool(terminal) or request.get("session", True), **more)
            pid = child.pid
            child.returncode = 0  # reap() waits for it
            early = EARLY.pop(pid, None)
            if early is None:
                OURS.add(pid)
        WAKE.set()
    except BaseException:
        if handed is not None:
            os.close(handed)
        raise
    finally:
        for fd in set(fds):
            os.close(fd)
    if early is not None:
        say({"exit": pid, "status": early})
    return {"pid": pid}, [handed] if handed is not None else []


def do_open(request, fds):
    path, flags = request["path"], request["flags"]
    existed = os.path.lexists(path)
    fd = os.open(path, flags | os.O_CLOEXEC, request.get("mode", 0o644))
    if not existed and IS_ROOT and request.get("uid") is not None:
        os.fchown(fd, request["uid"], request["gid"])
    return {}, [fd]


def do_call(request, fds):
    return {"value": globals()["op_" + request["name"]](*request["args"])}, []


def do_freeze(request, fds):
    """Stops (or continues) every process but this one."""
    try:
        os.kill(-1, signal.SIGCONT if request.get("thaw") else signal.SIGSTOP)
    except ProcessLookupError:
        pass
    return {}, []


# What every service needs of files.

def names(status):
    def of(table, number, field):
        try:
            return getattr(table(number), field)
        except KeyError:
            return str(number)
    return of(pwd.getpwuid, status.st_uid, "pw_name"), of(grp.getgrgid, status.st_gid, "gr_name")


def entry(path):
    """lstat of path, and what it leads to when it is a link; raises OSError."""
    status = os.lstat(path)
    owner, group = names(status)
    told = {"name": os.path.basename(path.rstrip("/")) or "/", "path": path,
            "mode": status.st_mode, "size": status.st_size, "mtime": status.st_mtime_ns,
            "owner": owner, "group": group, "uid": status.st_uid, "gid": status.st_gid,
            "link": None, "target": None}
    if stat.S_ISLNK(status.st_mode):
        told["link"] = os.readlink(path)
        try:
            told["target"] = os.stat(path).st_mode
        except OSError:
            pass
    return told


def op_entry(path):
    return entry(path)


def op_list(path, depth=1):
    found = []
    for name in sorted(os.listdir(path)):
        child = os.path.join(path, name)
        try:
            told = entry(child)
        except FileNotFoundError:
            continue
        found.append(told)
        if depth > 1 and stat.S_ISDIR(told["mode"]):
            try:
                found += op_list(child, depth - 1)
            except PermissionError:
                pass
    return found


def op_make_parents(path, uid, gid, mode=0o755):
    """Makes the directory with its parents; those that are new belong to uid and gid."""
    missing = []
    while not os.path.lexists(path):
        missing.append(path)
        path = os.path.dirname(path)
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
    for one in reversed(missing):
        os.mkdir(one)
        os.chmod(one, mode)
        if IS_ROOT:
            os.chown(one, uid, gid)
    return len(missing)


def op_remove(path, recursive=True):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path) if recursive else os.rmdir(path)
    else:
        os.unlink(path)


def op_move(source, destination):
    os.rename(source, destination)


def op_signal(pid, number, group=False):
    if group:
        os.killpg(pid, number)
    else:
        os.kill(pid, number)


def op_user(name):
    """uid, gid and home of a user of the sandbox; null when unknown."""
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return [found.pw_uid, found.pw_gid, found.pw_dir]


def op_disk():
    found = os.statvfs("/")
    return [found.f_blocks * found.f_frsize, (found.f_blocks - found.f_bfree) * found.f_frsize]


def op_usage():
    """Of this sandbox's processes: seconds of a processor so far, bytes of memory now."""
    seconds, memory = 0.0, 0
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    words = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            seconds += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
            memory += int(words[21]) * os.sysconf("SC_PAGE_SIZE")
    return [seconds, memory]


# inotify, for the services that tell of changes.

LIBC = ctypes.CDLL(None, use_errno=True)
MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200
KINDS = ((0x100, "create"), (0x80, "create"), (0x2, "write"), (0x200, "remove"),
         (0x40, "rename"), (0x4, "chmod"))


def do_watch(request, fds):
    """Sends one JSON line of {name, kind, path} for each change below path into the returned pipe."""
    root, recursive = request["path"], request.get("recursive", False)
    if not os.path.isdir(root):
        os.scandir(root)
    source = LIBC.inotify_init1(os.O_CLOEXEC)
    directories = {}

    def add(path):
        number = LIBC.inotify_add_watch(source, os.fsencode(path), MASK)
        if number >= 0:
            directories[number] = path
        if recursive:
            for child in os.scandir(path):
                if child.is_dir(follow_symlinks=False):
                    add(child.path)

    add(root)
    near, far = os.pipe()

    def pump():
        try:
            while True:
                data, at = os.read(source, 65536), 0
                while at < len(data):
                    number, mask, _, length = struct.unpack_from("iIII", data, at)
                    name = os.fsdecode(data[at + 16:at + 16 + length].split(b"\0")[0])
                    at += 16 + length
                    path = os.path.join(directories.get(number, root), name)
                    kind = next((k for bit, k in KINDS if mask & bit), None)
                    if not name or not kind:
                        continue
                    if recursive and kind == "create" and os.path.isdir(path):
                        add(path)
                    line = json.dumps({"name": os.path.relpath(path, root), "kind": kind,
                                       "path": path})
                    os.write(far, line.encode() + b"\n")
        except OSError:
            pass
        os.close(source)
        os.close(far)

    threading.Thread(target=pump, daemon=True).start()
    return {}, [near]


def receive(count):
    data, fds = b"", []
    while len(data) < count:
        piece, more, _, _ = socket.recv_fds(CONTROL, count - len(data), 8)
        if not piece:
            os._exit(0)
        data += piece
        fds += more
    return data, fds


def serve():
    while True:
        head, fds = receive(4)
        body, more = receive(struct.unpack(">I", head)[0])
        fds += more
        request = json.loads(body)
        try:
            answer, handed = globals()["do_" + request["do"]](request, fds)
        except OSError as problem:
            answer, handed = {"errno": problem.errno, "text": problem.strerror,
                              "path": problem.filename}, []
        except Exception as problem:  # told to the server's side, which raises it
            answer, handed = {"failed": repr(problem)}, []
        data = json.dumps(answer).encode()
        # The descriptors must go with bytes that arrive in one piece: the length.
        socket.send_fds(CONTROL, [struct.pack(">I", len(data))], handed)
        CONTROL.sendall(data)
        for fd in handed:
            os.close(fd)
