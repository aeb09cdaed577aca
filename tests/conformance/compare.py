#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what a service's own SDK asked of its fake with what Berth asked.

  compare.py <service> <the SDK's log> <Berth's log>...

Of the calls that both made, by method and path (identifiers left out), each of these is a
difference:
  + query x, + body a.b, + header h   Berth sends what the SDK never does
  - query x, - body a.b, - header h   the SDK always sends it, and Berth never
  body a.b: text, not number          the same member is of another type
  body a.b: 1, not 2                  what the SDK says in the same way each time (twice at least)
                                      Berth says in another way each time
  header content-type: a, not b       its value is another one
allowed_differences.json names those that are meant, each with its reason; an entry that is met
nowhere is an error, too. Other values are not compared: the two do not run the same commands.
"""
import json
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77

# What stands for an identifier in a path: (pattern, what is written for it).
IDENTIFIERS = {
    "e2b": [(r"(?<=/sandboxes/)i[a-z0-9]+", "{id}")],
    "daytona": [(r"(?<=/sandbox/)[^/]+", "{id}"), (r"(?<=^/toolbox/)[^/]+", "{id}"),
                (r"(?<=/session/)[^/]+", "{session}"), (r"(?<=/command/)[^/]+", "{command}"),
                (r"(?<=/pty/)(?!create-connect)[^/]+", "{pty}"), (r"(?<=/ports/)\d+", "{port}"),
                (r"(?<=/auto(?:stop)/)-?\d+", "{n}"), (r"(?<=/autoarchive/)-?\d+", "{n}"),
                (r"(?<=/autodelete/)-?\d+", "{n}"), (r"(?<=/public/)\w+", "{on}")],
    "tenki": [],
}
# Members whose own members are names that a user gave.
OPEN = {"metadata", "envVars", "envs", "env", "labels"}
# Members that name what a client made itself.
NAMES = re.compile(r"(?:^|[._])(?:id|session_?[iI]d|pid|path|tag|name|text|data|cmd|command|stdin|pty)"
                   r"(?:\[\])?$")
# Headers that say something to the service; the others are those of an HTTP client.
HEADERS = {"authorization", "content-type", "content-encoding", "accept-encoding", "te",
           "connect-protocol-version", "connect-timeout-ms", "keepalive-ping-interval",
           "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"}
QUIET = {"x-forwarded-for"}


def call_of(service, record):
    path = record["path"]
    for pattern, written in IDENTIFIERS[service]:
        path = re.sub(pattern, written, path)
    return f"{record['method']} {path}"


def type_of(value):
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "text", list: "list", dict: "object", type(None): "null"}[type(value)]


def members(value, path=""):
    """{path: value} of all that value holds."""
    found = {}
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict) and len(item) == 1 and {"base64", "bytes"} & set(item):
                item = ""  # how the log tells bytes
            name = f"{path}.{key}" if path else key
            found[name] = item
            if key not in OPEN:
                found.update(members(item, name))
    elif isinstance(value, list):
        for item in value:
            found.update(members(item, path + "[]"))
            if not isinstance(item, (dict, list)):
                found[path + "[]"] = item
    return found


def body_of(record):
    """Members of the JSON body, of all enveloped or streamed messages together."""
    found = {}
    if isinstance(record.get("json"), (dict, list)):
        found.update(members(record["json"]))
    for envelope in record.get("envelopes", []):
        found.update(members(envelope.get("json")))
    for message in record.get("messages", []):
        found.update(members(message))
    return found


def headers_of(record):
    told = record["headers"]
    return {name: value for name, value in told.items()
            if (name in HEADERS or name.startswith("x-") or name.startswith("e2b-"))
            and name not in QUIET}


def kind_of(value):
    """A content type without what is new each time."""
    return re.sub(r"boundary=.*", "boundary=…", value).replace("application/grpc+proto",
                                                               "application/grpc")


class Call:
    """All calls of one kind by one client."""

    def __init__(self):
        self.count = 0
        self.seen = {"query": {}, "body": {}, "header": {}}
        self.types, self.values, self.kinds = {}, {}, set()

    def add(self, record):
        self.count += 1
        body, headers = body_of(record), headers_of(record)
        for what, names in (("query", record["query"]), ("body", body), ("header", headers)):
            for name in names:
                self.seen[what][name] = self.seen[what].get(name, 0) + 1
        for name, value in body.items():
            self.types.setdefault(name, set()).add(type_of(value))
            if not isinstance(value, (dict, list)):
                self.values.setdefault(name, set()).add(json.dumps(value))
        if "content-type" in headers:
            self.kinds.add(kind_of(headers["content-type"]))

    def always(self, what):
        return {name for name, count in self.seen[what].items() if count == self.count}


def read(service, paths):
    calls = {}
    for path in paths:
        for record in json.loads(Path(path).read_text(encoding="utf-8")):
            calls.setdefault(call_of(service, record), Call()).add(record)
    return calls


def differences(sdk, berth):
    for what in ("query", "body", "header"):
        for name in sorted(set(berth.seen[what]) - set(sdk.seen[what])):
            yield f"+ {what} {name}"
        for name in sorted(sdk.always(what) - set(berth.seen[what])):
            yield f"- {what} {name}"
    for name in sorted(set(berth.types) & set(sdk.types)):
        if not berth.types[name] & sdk.types[name]:
            yield (f"body {name}: {'/'.join(sorted(berth.types[name]))}, "
                   f"not {'/'.join(sorted(sdk.types[name]))}")
    for name in sorted(set(berth.values) & set(sdk.values)):
        said = sdk.values[name]
        if NAMES.search(name):
            continue
        if len(said) == 1 and sdk.seen["body"][name] > 1 and not said & berth.values[name]:
            yield f"body {name}: {' | '.join(sorted(berth.values[name])[:3])}, not {said.pop()}"
    if berth.kinds and sdk.kinds and not berth.kinds & sdk.kinds:
        yield (f"header content-type: {' | '.join(sorted(berth.kinds))}, "
               f"not {' | '.join(sorted(sdk.kinds))}")


def main(arguments):
    if len(arguments) < 3:
        print(__doc__)
        return 2
    service, *logs = arguments
    missing = [path for path in logs if not Path(path).is_file()]
    if missing:
        print(f"not there: {', '.join(missing)}; the tests of the service's SDK and of the contract "
              "write them")
        return 1 if os.environ.get("BERTH_REQUIRE_ENGINE") == "1" else SKIPPED
    sdk, berth = read(service, logs[:1]), read(service, logs[1:])
    both = sorted(set(sdk) & set(berth))
    allowed = [entry for entry in
               json.loads((HERE / "allowed_differences.json").read_text(encoding="utf-8"))
               if entry["service"] == service]
    used, wrong = [False] * len(allowed), 0
    for call in both:
        for difference in differences(sdk[call], berth[call]):
            matching = [at for at, entry in enumerate(allowed)
                        if re.fullmatch(entry["call"], call)
                        and entry["difference"] == difference]
            for at in matching:
                used[at] = True
            if not matching:
                wrong += 1
                print(f"{call}: {difference}")
    for entry, met in zip(allowed, used):
        if not met:
            wrong += 1
            print(f"allowed, but met nowhere: {entry['call']}: {entry['difference']}")
    if len(both) < 5:
        wrong += 1
        print(f"only {len(both)} calls to compare: {both}")
    print(f"{service}: {len(both)} calls that both make, {wrong} difference(s) without a reason; "
          f"Berth alone: {sorted(set(berth) - set(sdk))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
