#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of AgentBay: one gateway ("api") with the RPC form of its API.

Faults match "POST /?Action=ListSession&..."; a fault's "code" and "message" are the service's own
words for it, and with "status": 200 the answer says Success: false.
Settings:
  keys        the API keys that are known
  pauseMs, resumeMs, deleteMs   how long a change of state takes
  contextMs   how long the files of a context take to arrive
  largestPage sessions of one page of a list at most
  noPause     the account's plan has no pause and resume
  plainShell  the tool "shell" answers in its old form, text
  toolBytes   what a tool writes is cut behind so many bytes of text, 0: it is not
  images      the image ids that are known
"""
import sys

sys.dont_write_bytecode = True
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import json
import os
import secrets
import shutil
import signal
import threading
import time
import urllib.parse
import uuid

import base
import box

VERSION = "2025-05-06"
LONGEST_MS = 50000
HOME = "/home/wuying"
SESSION_ACTIONS = {"GetSession", "GetSessionDetail", "DeleteSessionAsync", "ReleaseMcpSession",
                   "PauseSessionAsync", "ResumeSessionAsync", "CallMcpTool", "SetLabel",
                   "GetLabel", "GetContextInfo", "SyncContext"}


class Refused(base.Refusal):
    def __init__(self, status, code, message, headers=None):
        super().__init__(status, {"RequestId": str(uuid.uuid4()).upper(), "HostId": "fake",
                                  "Code": code, "Message": message}, headers)


class Session:
    def __init__(self, fake, fields):
        self.fake = fake
        self.id = "s-" + secrets.token_hex(9)
        self.image = fields.get("ImageId", "linux_latest")
        self.labels = fields.get("Labels", "{}")
        self.region = fields.get("LoginRegionId", "")
        self.status = "RUNNING"
        self.lock = threading.RLock()
        self.mounts = json.loads(fields.get("PersistenceDataList", "[]"))
        self.ready = time.time() + fake.settings["contextMs"] / 1000
        self.box = box.Box(fake.root / self.id, user="wuying", home=HOME,
                           directories=[mount["Path"] for mount in self.mounts])
        self.box.start()
        for mount in self.mounts:
            self.copy(fake.contexts[mount["ContextId"]]["files"], self.place(mount))

    def place(self, mount):
        return self.box.root / mount["Path"].lstrip("/")

    def copy(self, source, target):
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        if self.box.as_root:
            for top, folders, files in os.walk(target):
                for name in [".", *folders, *files]:
                    os.chown(os.path.join(top, name), 1000, 1000, follow_symlinks=False)

    def save(self):
        for mount in self.mounts:
            upload = json.loads(mount.get("Policy", "{}")).get("uploadPolicy", {})
            if upload.get("autoUpload", True):
                shutil.copytree(self.place(mount), self.fake.contexts[mount["ContextId"]]["files"],
                                symlinks=True, dirs_exist_ok=True)

    def change(self, meanwhile, setting, then):
        self.status = meanwhile

        def run():
            if not self.fake.ending.wait(self.fake.settings[setting] / 1000):
                with self.lock:
                    then()
        threading.Thread(target=run, daemon=True).start()

    def pause(self):
        self.box.freeze()

        def asleep():
            self.status = "PAUSED"
        self.change("PAUSING", "pauseMs", asleep)

    def resume(self):
        def awake():
            self.box.thaw()
            self.status = "RUNNING"
        self.change("RESUMING", "resumeMs", awake)

    def delete(self):
        def gone():
            if self.box.frozen:
                self.box.thaw()
            self.save()
            self.box.destroy()
            self.status = "DELETED"
            self.fake.sessions.pop(self.id, None)
        self.change("DELETING", "deleteMs", gone)

    def shell(self, args):
        """(stdout, stderr, code); code None: its time was over."""
        limit = min(int(args.get("timeout_ms", 1000)), LONGEST_MS) / 1000
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": HOME, "USER": "wuying",
               "LANG": "C.UTF-8", **args.get("envs", {})}
        process = self.box.spawn(["/bin/sh", "-c", args["command"]], args.get("cwd") or HOME, env,
                                 stdin=False)
        told = {}

        def read(name, descriptor):
            pieces = []
            try:
                while piece := os.read(descriptor, 65536):
                    pieces.append(piece)
                    told[name] = b"".join(pieces) if len(pieces) < 3 else told[name] + piece
            except OSError:
                pass
            finally:
                os.close(descriptor)
        readers = [threading.Thread(target=read, args=(name, descriptor), daemon=True)
                   for name, descriptor in (("out", process.stdout), ("err", process.stderr))]
        for reader in readers:
            reader.start()
        code = process.wait(limit)
        if code is None:
            process.signal(signal.SIGKILL, True)
            process.wait(5)
        for reader in readers:
            reader.join(1)
        text = [told.get(name, b"").decode(errors="replace") for name in ("out", "err")]
        cut = self.fake.settings["toolBytes"]
        if cut:
            text = [one[:cut] for one in text]
        return text[0], text[1], code if code is None or code >= 0 else 128 - code


class AgentBay(base.Fake):
    defaults = {"keys": ["akm-" + "0" * 36], "pauseMs": 100, "resumeMs": 100, "deleteMs": 100,
                "contextMs": 0, "largestPage": 50, "noPause": False, "plainShell": False,
                "toolBytes": 0, "images": ["linux_latest", "code_latest"]}

    def __init__(self, argv=None):
        super().__init__(argv)
        self.sessions, self.contexts = {}, {}

    def stop(self):
        for session in list(self.sessions.values()):
            session.box.stop()

    def fault_body(self, exchange, status):
        code = exchange.fault.get("code") or {429: "Throttling.User"}.get(status, "InternalError")
        body = {"RequestId": str(uuid.uuid4()).upper(), "Code": code,
                "Message": exchange.fault.get("message", "a fault on demand")}
        if status == 200:
            body["Success"] = False
        return body

    def answer(self, exchange, data=None, **beside):
        exchange.reply(200, {"RequestId": str(uuid.uuid4()).upper(), "Success": True, "Code": "ok",
                             "Message": "", "HttpStatusCode": 200, "Data": data, **beside})

    def fields(self, exchange):
        kind = exchange.headers.get("Content-Type", "")
        if not kind.startswith("application/x-www-form-urlencoded"):
            raise Refused(415, "UnsupportedMediaType", kind)
        made = {}
        for pair in exchange.body.decode("ascii").split("&"):
            name, _, value = pair.partition("=")
            # A plus is a space there.
            made[urllib.parse.unquote_plus(name)] = urllib.parse.unquote_plus(value)
        return made

    def handle(self, surface, exchange):
        query = {key: values[0] for key, values in exchange.query.items()}
        if exchange.command != "POST" or exchange.route != "/":
            raise Refused(404, "InvalidPath", "only POST / is served")
        for key in ("Format", "Timestamp", "SignatureNonce"):
            if key not in query:
                raise Refused(400, "MissingParameter", key)
        if query.get("Version") != VERSION or exchange.headers.get("x-acs-version") != VERSION:
            raise Refused(400, "InvalidVersion", "the version is not known")
        action = query.get("Action", "")
        if exchange.headers.get("x-acs-action") != action:
            raise Refused(400, "InvalidParameter", "x-acs-action is not the Action")
        if "akm-" in exchange.path and action not in ("SyncContext",):
            raise Refused(400, "InvalidParameter", "a key in an address")
        fields = {**{key: query[key] for key in ("SessionId",) if key in query},
                  **self.fields(exchange)}
        if fields.get("Authorization", "").removeprefix("Bearer ") not in self.settings["keys"]:
            raise Refused(401, "InvalidMcpAuthorization", "the key is not known")
        act = getattr(self, "do_" + action, None)
        if not act:
            raise Refused(404, "InvalidAction.NotFound", f"there is no {action}")
        if action not in SESSION_ACTIONS:
            act(exchange, fields)
            return
        session = self.sessions.get(fields.get("SessionId", ""))
        if not session:
            raise Refused(400, "InvalidMcpSession.NotFound", "the session does not exist")
        act(exchange, session, fields)

    # Sessions

    def do_CreateMcpSession(self, exchange, fields):
        if fields.get("ImageId", "linux_latest") not in self.settings["images"]:
            self.answer(exchange, {"Success": False, "ErrMsg": "the image does not exist"})
            return
        for mount in json.loads(fields.get("PersistenceDataList", "[]")):
            if mount["ContextId"] not in self.contexts:
                raise Refused(400, "Context.NotFound", mount["ContextId"])
        session = Session(self, fields)
        self.sessions[session.id] = session
        self.answer(exchange, {"SessionId": session.id, "AppInstanceId": "ai-" + session.id,
                               "ResourceId": "p-" + session.id, "Success": True, "ErrMsg": "",
                               "ResourceUrl": "https://example.com/?ticket=secret",
                               "Token": "t-" + secrets.token_hex(8), "ToolList": "[]"})

    def do_GetSession(self, exchange, session, fields):
        self.answer(exchange, {"SessionId": session.id, "Status": session.status, "Success": True,
                               "ResourceUrl": "https://example.com/?ticket=secret"})

    def do_GetSessionDetail(self, exchange, session, fields):
        self.answer(exchange, {"Id": session.id, "Status": session.status,
                               "ImageId": session.image, "RegionId": session.region})

    def do_ListSession(self, exchange, fields):
        wanted = json.loads(fields.get("Labels") or "{}")
        found = [one for one in list(self.sessions.values())
                 if wanted.items() <= json.loads(one.labels).items()
                 and fields.get("Status", one.status) == one.status]
        most = min(int(fields.get("MaxResults", 10)), self.settings["largestPage"])
        token = fields.get("NextToken", "")
        at = int(token.removeprefix("page-") or 0) if token else 0
        beside = {"MaxResults": most, "TotalCount": len(found),
                  "NextToken": f"page-{at + most}" if at + most < len(found) else ""}
        self.answer(exchange, [{"SessionId": one.id, "SessionStatus": one.status}
                               for one in found[at:at + most]], **beside)

    def do_DeleteSessionAsync(self, exchange, session, fields):
        with session.lock:
            if session.status != "DELETING":
                session.delete()
        exchange.reply(200, {"RequestId": str(uuid.uuid4()).upper()})  # no Success: none needed

    do_ReleaseMcpSession = do_DeleteSessionAsync

    def plan(self):
        if self.settings["noPause"]:
            raise Refused(400, "BenefitLevel.NotSupport", "the plan has no pause")

    def do_PauseSessionAsync(self, exchange, session, fields):
        self.plan()
        with session.lock:
            if session.status != "RUNNING":
                raise Refused(400, "InvalidMcpSession.StatusInvalid", session.status)
            session.pause()
        self.answer(exchange)

    def do_ResumeSessionAsync(self, exchange, session, fields):
        self.plan()
        with session.lock:
            if session.status != "PAUSED":
                raise Refused(400, "InvalidMcpSession.StatusInvalid", session.status)
            session.resume()
        self.answer(exchange)

    def do_SetLabel(self, exchange, session, fields):
        session.labels = fields["Labels"]
        self.answer(exchange)

    def do_GetLabel(self, exchange, session, fields):
        self.answer(exchange, {"Labels": session.labels})

    # Tools

    def do_CallMcpTool(self, exchange, session, fields):
        if session.status != "RUNNING":
            raise Refused(400, "InvalidMcpSession.StatusInvalid", session.status)
        name, args = fields.get("Name", ""), json.loads(fields.get("Args") or "{}")
        if name != "shell":
            self.tool(exchange, f"there is no tool {name}", True)
            return
        try:
            out, err, code = session.shell(args)
        except OSError as problem:
            self.tool(exchange, f"Execution failed. Error code:-1 Error message: {problem}", True)
            return
        except box.BoxFailure:
            raise Refused(400, "InvalidMcpSession.NotFound", "the session ended")
        if code is None:
            self.tool(exchange, "Execution failed. Error code:-1 Error message: [timeout]", True)
        elif self.settings["plainShell"]:
            self.tool(exchange, out if code == 0 else
                      f"Execution failed. Error code:{code} Error message: {err}", code != 0)
        else:
            self.tool(exchange, json.dumps({"stdout": out, "stderr": err, "exit_code": code,
                                            "traceId": uuid.uuid4().hex}), code != 0)

    def tool(self, exchange, text, failed):
        self.answer(exchange, {"content": [{"type": "text", "text": text}], "isError": failed})

    # Contexts

    def do_GetContext(self, exchange, fields):
        for one in self.contexts.values():
            if one["Name"] == fields.get("Name") or one["Id"] == fields.get("ContextId"):
                break
        else:
            if fields.get("AllowCreate") != "true":
                raise Refused(400, "Context.NotFound", fields.get("Name", ""))
            key = "SdkCtx-" + secrets.token_hex(8)
            one = {"Id": key, "Name": fields["Name"], "State": "available"}
            files = self.root / key
            files.mkdir()
            self.contexts[key] = {**one, "files": files}
        self.answer(exchange, {key: one[key] for key in ("Id", "Name", "State")})

    def do_GetContextInfo(self, exchange, session, fields):
        status = "Success" if time.time() >= session.ready else "Running"
        copies = [{"contextId": mount["ContextId"], "path": mount["Path"], "errorMessage": "",
                   "status": status, "startTime": 1, "finishTime": 2, "taskType": "download"}
                  for mount in session.mounts]
        told = json.dumps([{"type": "data", "data": json.dumps(copies)}])
        self.answer(exchange, {"ContextStatus": told})


if __name__ == "__main__":
    AgentBay().main()
