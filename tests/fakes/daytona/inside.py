# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read by toolbox.py and run behind box_agent.py, inside the sandbox."""
import fnmatch


def op_session_prepare(folder, text, uid, takes_input):
    os.makedirs(folder, mode=0o755)
    with open(folder + "/command", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    open(folder + "/log", "wb").close()
    if takes_input:
        os.mkfifo(folder + "/input")
    if IS_ROOT:
        for name in ("", "/command", "/log") + (("/input",) if takes_input else ()):
            os.chown(folder + name, uid, uid)


def op_session_state(folder):
    try:
        with open(folder + "/code", encoding="ascii") as file:
            code = int(file.read())
    except FileNotFoundError:
        code = None
    return {"code": code, "size": os.path.getsize(folder + "/log")}


def op_exists(path):
    return os.path.lexists(path)


def op_permissions(path, mode, owner, group):
    if mode:
        os.chmod(path, int(mode, 8))
    if owner or group:
        shutil.chown(path, owner or None, group or None)


def files_below(path):
    if os.path.isfile(path):
        yield path
    elif not os.path.isdir(path):
        os.stat(path)
    for folder, _, names in os.walk(path):
        for name in sorted(names):
            yield os.path.join(folder, name)


def op_search(path, pattern):
    return [one for one in files_below(path) if fnmatch.fnmatch(os.path.basename(one), pattern)]


def op_find(path, pattern):
    found = []
    for one in files_below(path):
        try:
            with open(one, "rb") as file:
                data = file.read()
        except OSError:
            continue
        if b"\0" in data[:8192]:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if pattern in line:
                found.append({"file": one, "line": number, "content": line})
    return found


def op_replace(path, pattern, value):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(pattern, value))
