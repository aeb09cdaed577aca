# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tenki's messages by field numbers, and the protobuf encoding of what they hold.

Written from the description of the wire alone, apart from Berth's own, so that a mistake in one of
the two shows.
"""
import struct

STRING, BYTES, BOOL, INT, UINT, MAP = "string", "bytes", "bool", "int", "uint", "map"

# name -> {number: (field, type)}; a type in a list is repeated, another name is a message.
MESSAGES = {
    "Empty": {},
    "Timestamp": {1: ("seconds", INT), 2: ("nanos", INT)},
    "Duration": {1: ("seconds", INT), 2: ("nanos", INT)},
    "Session": {
        1: ("id", STRING), 2: ("state", INT), 3: ("owner_type", STRING), 4: ("owner_id", STRING),
        5: ("created_at", "Timestamp"), 6: ("ready_at", "Timestamp"),
        7: ("terminated_at", "Timestamp"), 8: ("timeout_at", "Timestamp"),
        9: ("inbound_enabled", BOOL), 10: ("outbound_enabled", BOOL), 11: ("cpu_cores", INT),
        12: ("memory_mb", INT), 13: ("metadata", MAP), 14: ("workspace_id", STRING),
        15: ("name", STRING), 17: ("snapshot_id", STRING), 20: ("disk_size_gb", INT),
        21: ("tags", [STRING]), 22: ("idle_timeout_minutes", INT),
        23: ("last_activity_at", "Timestamp"), 24: ("paused_at", "Timestamp"),
        25: ("pause_snapshot_id", STRING), 28: ("sticky", BOOL),
        29: ("last_resume_error", STRING), 33: ("source_registry_ref", STRING),
        34: ("terminal_error", STRING), 35: ("pause_expires_at", "Timestamp")},
    "Credential": {1: ("credential", STRING), 2: ("expires_at", "Timestamp")},
    "VolumeMount": {1: ("volume_id", STRING), 2: ("mount_path", STRING), 3: ("readonly", BOOL)},
    "CreateSessionRequest": {
        1: ("owner_id", STRING), 2: ("owner_type", STRING), 3: ("allow_inbound", BOOL),
        4: ("allow_outbound", BOOL), 5: ("max_duration", "Duration"), 6: ("cpu_cores", INT),
        7: ("memory_mb", INT), 8: ("metadata", MAP), 9: ("env", MAP),
        10: ("enable_opencode", BOOL), 11: ("clone_repo_url", STRING),
        12: ("ssh_authorized_keys", [STRING]), 13: ("name", STRING),
        14: ("volumes", ["VolumeMount"]), 15: ("snapshot_id", STRING),
        18: ("registry_ref", STRING), 19: ("workspace_id", STRING), 21: ("disk_size_gb", INT),
        22: ("tags", [STRING]), 23: ("idle_timeout_minutes", INT),
        24: ("pause_retention", "Duration"), 25: ("sticky", BOOL), 26: ("wait_ready", BOOL),
        27: ("wait_for_runtime", BOOL), 28: ("template_spec_id", STRING)},
    "SessionReached": {1: ("session", "Session"), 2: ("data_plane_endpoint", STRING),
                       3: ("credential", "Credential"), 4: ("route_status", INT)},
    "SessionRequest": {1: ("session_id", STRING)},
    "SessionAnswer": {1: ("session", "Session")},
    "CredentialAnswer": {1: ("credential", "Credential"), 2: ("data_plane_endpoint", STRING),
                         3: ("route_status", INT)},
    "ExtendRequest": {1: ("session_id", STRING), 2: ("additional_duration", "Duration")},
    "UpdateRequest": {1: ("session_id", STRING), 2: ("name", STRING), 3: ("tags", [STRING]),
                      4: ("clear_tags", BOOL), 5: ("sticky", BOOL),
                      6: ("max_duration", "Duration")},
    "ListWorkspaceRequest": {1: ("workspace_id", STRING), 2: ("page_size", INT),
                             3: ("page_token", STRING), 4: ("include_terminated", BOOL),
                             5: ("state", INT), 6: ("tags", [STRING]), 7: ("sticky", BOOL)},
    "ListRequest": {1: ("owner_id", STRING), 2: ("page_size", INT), 3: ("page_token", STRING),
                    4: ("include_terminated", BOOL), 5: ("tags", [STRING]), 6: ("sticky", BOOL)},
    "ListAnswer": {1: ("sessions", ["Session"]), 2: ("next_page_token", STRING)},
    "ManyRequest": {1: ("session_ids", [STRING])},
    "Failure": {1: ("session_id", STRING), 2: ("message", STRING)},
    "ManyAnswer": {1: ("sessions", ["Session"]), 2: ("failures", ["Failure"])},
    "Workspace": {1: ("workspace_id", STRING), 2: ("name", STRING)},
    "WhoAmIAnswer": {1: ("owner_type", STRING), 2: ("owner_id", STRING),
                     3: ("workspaces", ["Workspace"])},
    "UsageRequest": {1: ("workspace_id", STRING)},
    "Limit": {1: ("key", STRING), 2: ("label", STRING), 3: ("unit", INT), 4: ("current", INT),
              5: ("max", INT), 6: ("help_text", STRING)},
    "UsageAnswer": {1: ("limits", ["Limit"])},
    "ExposeRequest": {1: ("session_id", STRING), 2: ("port", INT), 3: ("expires_at", "Timestamp"),
                      4: ("slug", STRING)},
    "ExposeAnswer": {1: ("host_address", STRING), 2: ("port", INT), 3: ("preview_url", STRING),
                     4: ("expires_at", "Timestamp"), 5: ("preview_url_id", STRING),
                     6: ("slug", STRING)},
    # The data plane wraps each of these once more, see wrapped().
    "RunStart": {1: ("session_id", STRING), 2: ("cmd", [BYTES]), 3: ("cwd", STRING),
                 4: ("env", MAP), 5: ("pty", BOOL), 6: ("stream_stdin", BOOL),
                 7: ("timeout_ms", UINT), 8: ("privileged", BOOL)},
    "RunSignal": {1: ("signal", INT)},
    "RunIn": {1: ("start", "RunStart"), 2: ("stdin", BYTES), 3: ("signal", "RunSignal"),
              4: ("stdin_close", BOOL)},
    "RunStarted": {1: ("pid", UINT), 2: ("stdin_window_bytes", UINT)},
    "RunExit": {1: ("exit_code", INT), 2: ("signal", STRING), 3: ("timed_out", BOOL),
                4: ("duration_ms", UINT), 5: ("reason", STRING), 6: ("errno", INT)},
    "RunFlow": {1: ("stdin_grant_bytes", UINT)},
    "RunOut": {1: ("started", "RunStarted"), 2: ("stdout", BYTES), 3: ("stderr", BYTES),
               4: ("exit", "RunExit"), 5: ("flow", "RunFlow")},
    "PathRequest": {1: ("session_id", STRING), 2: ("path", BYTES)},
    "ReadAnswer": {1: ("path", BYTES), 2: ("content", BYTES)},
    "WriteRequest": {1: ("session_id", STRING), 2: ("path", BYTES), 3: ("content", BYTES)},
    "WriteAnswer": {1: ("path", BYTES), 2: ("size_bytes", INT)},
    "ReadStreamRequest": {1: ("session_id", STRING), 2: ("path", BYTES), 3: ("offset", INT),
                          4: ("length", INT), 5: ("chunk_bytes", UINT)},
    "ReadStreamAnswer": {1: ("data", BYTES), 2: ("eof", BOOL), 3: ("total_size", INT)},
    "WriteStart": {1: ("session_id", STRING), 2: ("path", BYTES), 3: ("mode", UINT),
                   4: ("truncate", BOOL), 5: ("sync", BOOL)},
    "WriteIn": {1: ("start", "WriteStart"), 2: ("data", BYTES)},
    "WriteStreamAnswer": {1: ("bytes_written", INT), 2: ("path", BYTES)},
    "StatAnswer": {1: ("exists", BOOL), 2: ("size", INT), 3: ("mode", UINT),
                   4: ("modified_unix_ns", INT), 5: ("is_dir", BOOL), 6: ("is_symlink", BOOL),
                   7: ("symlink_target", BYTES)},
    "MkdirRequest": {1: ("session_id", STRING), 2: ("path", BYTES), 3: ("mode", UINT),
                     4: ("recursive", BOOL)},
    "MkdirAnswer": {1: ("modified_unix_ns", INT)},
    "RemoveRequest": {1: ("session_id", STRING), 2: ("path", BYTES), 3: ("recursive", BOOL)},
    "RemoveAnswer": {1: ("removed", BOOL), 2: ("entries_removed", INT)},
    "DirectoryRequest": {1: ("session_id", STRING), 2: ("path", BYTES),
                         3: ("include_hidden", BOOL)},
    "Entry": {1: ("name", BYTES), 2: ("is_dir", BOOL), 3: ("size", INT), 4: ("mode", UINT),
              5: ("modified_unix_ns", INT)},
    "DirectoryAnswer": {1: ("entries", ["Entry"])},
}


class Malformed(Exception):
    pass


def varint(value):
    value &= (1 << 64) - 1
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def read_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a varint without an end")
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def field(number, kind, data):
    if kind == 2:
        return varint(number << 3 | 2) + varint(len(data)) + data
    return varint(number << 3 | kind) + data


def encode_value(number, kind, value):
    if kind == STRING:
        return field(number, 2, value.encode())
    if kind == BYTES:
        return field(number, 2, value if isinstance(value, bytes) else value.encode())
    if kind in (BOOL, INT, UINT):
        return field(number, 0, varint(int(value)))
    return field(number, 2, encode(kind, value))


def encode(name, values):
    """Fields that have their default are left out, as proto3 does; those of a oneof and members
    of a list are given anyway."""
    data = b""
    by_name = {told[0]: (number, told[1]) for number, told in MESSAGES[name].items()}
    for key, value in values.items():
        number, kind = by_name[key]
        if isinstance(kind, list):
            for item in value:
                data += encode_value(number, kind[0], item)
        elif kind == MAP:
            for k, v in value.items():
                data += field(number, 2, field(1, 2, k.encode()) + field(2, 2, v.encode()))
        elif value or isinstance(value, dict) or name == "RunOut":
            data += encode_value(number, kind, value)
    return data


def decode(name, data):
    values, at = {}, 0
    known = MESSAGES[name]
    while at < len(data):
        key, at = read_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = read_varint(data, at)
        elif wire == 2:
            length, at = read_varint(data, at)
            if at + length > len(data):
                raise Malformed("a field longer than its message")
            value, at = data[at:at + length], at + length
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at:at + size], at + size
        else:
            raise Malformed(f"wire type {wire}")
        if number not in known:
            continue
        key, kind = known[number]
        one = kind[0] if isinstance(kind, list) else kind
        if (one in (BOOL, INT, UINT)) != (wire == 0):
            raise Malformed(f"{name}.{key} has wire type {wire}")
        if one == STRING:
            try:
                value = value.decode()
            except UnicodeDecodeError:
                raise Malformed(f"{name}.{key} is no UTF-8")
        elif one == BOOL:
            value = bool(value)
        elif one == INT and value >> 63:
            value -= 1 << 64
        elif one == MAP:
            pair = decode("Workspace", value)  # two strings, 1 and 2
            values.setdefault(key, {})[pair.get("workspace_id", "")] = pair.get("name", "")
            continue
        elif one not in (BYTES, INT, UINT):
            value = decode(one, value)
        if isinstance(kind, list):
            values.setdefault(key, []).append(value)
        else:
            values[key] = value
    return values


def wrapped(data):
    return field(1, 2, data)


def unwrapped(data):
    """What field 1 holds; the data plane puts everything into one."""
    found, at = b"", 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            _, at = read_varint(data, at)
            continue
        if key & 7 != 2:
            at += 8 if key & 7 == 1 else 4
            continue
        length, at = read_varint(data, at)
        if at + length > len(data):
            raise Malformed("a field longer than its message")
        if key >> 3 == 1:
            found = data[at:at + length]
        at += length
    return found


UNKNOWN = field(199, 2, b"a field that no document knows") + field(198, 0, varint(7)) + \
    field(197, 5, struct.pack("<I", 5))
