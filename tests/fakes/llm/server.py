#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of servers of language models: chat completions and Messages on one listener ("api").

A reply is, in this order: the next of `replies`; the recording (tests/data/llm) of the dialect that
`scenario` names; the one that the request's model names; "text". Requests are checked as the
services check them: an unanswered call of a tool, or arguments that are no JSON, get 400.

Settings (POST /__knobs):
  scenario  "tools", "e429", "error_mid", …; "" (the default): see above
  replies   served once each, in order, in the dialect of the request; a reply is an object of
              text, reasoning, calls [{id?, name, arguments (object or text)}],
              usage {input, cached, output}, stop (the dialect's own word), model (only for requests
              of that model), match (only when the last message has that text),
              status + error (a refusal), cutAfterText (the connection ends there), gapMs (between
              pieces), delayMs (before the first), signsMs (signs of life come for so long before the
              first piece: a comment, a ping), lateMs (likewise before the last one)
  key       what requests must have as key ("": none)
  models    ids that are listed (["fake-model", "fake-claude"])
  kind      "plain", "llamacpp", "ollama", "vllm": who it is, for probes
  context   what it says of its context (32768)
  cut       n bytes of a reply go out, then the connection ends; cutCleanly: the body ends there
  drip      a reply goes out in pieces of n bytes
  paceMs    between two pieces of a recording (0; of "slow" 30)
"""
import sys

sys.dont_write_bytecode = True
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import json

import base

RECORDINGS = Path(__file__).resolve().parent.parent.parent / "data" / "llm"
HOP_HEADERS = {"content-length", "transfer-encoding", "connection", "content-type", "server"}


def chat_error(status, message, kind="invalid_request_error", code=None):
    return base.Refusal(status, {"error": {"message": message, "type": kind, "param": None,
                                           "code": code}})


def message_error(status, message, kind="invalid_request_error"):
    return base.Refusal(status, {"type": "error", "error": {"type": kind, "message": message},
                                 "request_id": "req_fake"})


def check_chat(body):
    """As OpenAI and the templates of llama.cpp do."""
    if not isinstance(body.get("model"), str) or not isinstance(body.get("messages"), list):
        raise chat_error(400, "you must provide a model and messages")
    open_ids = set()
    for message in body["messages"]:
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in open_ids:
                raise chat_error(400, "a tool message answers no call")
            if not message.get("content"):
                raise chat_error(400, "a tool message without content")
            open_ids.discard(message["tool_call_id"])
            continue
        if open_ids:
            raise chat_error(400, f"tool_call_ids without an answer: {sorted(open_ids)}")
        if role not in ("system", "user", "assistant"):
            raise chat_error(400, f"no such role: {role}")
        if not isinstance(message.get("content"), (str, list)):
            raise chat_error(400, "a message without content")
        for call in message.get("tool_calls", []):
            try:
                fine = isinstance(json.loads(call["function"]["arguments"]), dict)
            except ValueError:
                fine = False
            if not fine or not isinstance(call.get("id"), str) or not call["id"]:
                raise chat_error(400, "a call without id or arguments")
            open_ids.add(call["id"])
    if open_ids:
        raise chat_error(400, f"tool_call_ids without an answer: {sorted(open_ids)}")
    for tool in body.get("tools", []):
        if tool["type"] != "function" or not tool["function"]["name"]:
            raise chat_error(400, "a tool that is none")


def check_messages(body, headers):
    """As Anthropic does."""
    if headers.get("anthropic-version") not in ("2023-06-01", "2026-10-21"):
        raise message_error(400, "anthropic-version: header is required")
    if not isinstance(body.get("model"), str) or not isinstance(body.get("messages"), list):
        raise message_error(400, "model and messages: field required")
    open_ids = []
    for message in body["messages"]:
        blocks = message.get("content")
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        if not blocks or message.get("role") not in ("user", "assistant"):
            raise message_error(400, "messages: role and content are required")
        if message["role"] == "user":
            kinds = [block["type"] for block in blocks]
            results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            if set(results) != set(open_ids):
                raise message_error(400, f"tool_use ids {open_ids} answered by {results}")
            if kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
                raise message_error(400, "tool_result blocks must come first")
            open_ids = []
        elif open_ids:
            raise message_error(400, f"tool_use ids without a result: {open_ids}")
        for block in blocks:
            if block["type"] == "text" and not block["text"].strip():
                raise message_error(400, "text content blocks must be non-empty")
            if block["type"] == "tool_use":
                if not isinstance(block.get("input"), dict):
                    raise message_error(400, "tool_use.input: should be an object")
                open_ids.append(block["id"])
    if open_ids:
        raise message_error(400, f"tool_use ids without a result: {open_ids}")


def pieces(text, size):
    return [text[at:at + size] for at in range(0, len(text), size)]


def arguments_of(call):
    told = call.get("arguments", {})
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def chat_events(reply, model, with_usage):
    """The chunks of a scripted reply; calls come mixed."""
    def chunk(delta=None, finish=None, **more):
        choices = [] if delta is None else [
            {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        told = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1700000000,
                "model": model, "choices": choices, **more}
        return f"data: {json.dumps(told, ensure_ascii=False)}\n\n".encode()

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(reply.get("reasoning", ""), 7):
        yield chunk({"reasoning_content": piece})
    for piece in pieces(reply.get("text", ""), 7):
        yield chunk({"content": piece})
    if reply.get("cutAfterText"):
        raise base.Cut
    calls = reply.get("calls", [])
    for index, call in enumerate(calls):
        yield chunk({"tool_calls": [{"index": index, "id": call.get("id", f"call_{index}"),
                                     "type": "function",
                                     "function": {"name": call["name"], "arguments": ""}}]})
    streams = [pieces(arguments_of(call), 9) for call in calls]
    for at in range(max(map(len, streams), default=0)):
        for index, parts in enumerate(streams):
            if at < len(parts):
                yield chunk({"tool_calls": [{"index": index,
                                             "function": {"arguments": parts[at]}}]})
    yield chunk({}, reply.get("stop") or ("tool_calls" if calls else "stop"))
    if with_usage:
        usage = reply.get("usage", {})
        inside, cached = usage.get("input", 20), usage.get("cached", 0)
        out = usage.get("output", 5)
        yield chunk(usage={"prompt_tokens": inside + cached, "completion_tokens": out,
                           "total_tokens": inside + cached + out,
                           "prompt_tokens_details": {"cached_tokens": cached}})
    yield b"data: [DONE]\n\n"


def message_events(reply, model):
    def event(kind, **told):
        text = json.dumps({"type": kind, **told}, ensure_ascii=False)
        return f"event: {kind}\ndata: {text}\n\n".encode()

    usage = reply.get("usage", {})
    yield event("message_start", message={
        "id": "msg_fake", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": usage.get("input", 20), "cache_creation_input_tokens": 0,
                  "cache_read_input_tokens": usage.get("cached", 0), "output_tokens": 1}})
    yield event("ping")
    calls = reply.get("calls", [])
    blocks = []
    if reply.get("reasoning"):
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""},
                       [{"type": "thinking_delta", "thinking": piece}
                        for piece in pieces(reply["reasoning"], 7)]
                       + [{"type": "signature_delta", "signature": "sig-fake"}]))
    if reply.get("text"):
        blocks.append(({"type": "text", "text": ""},
                       [{"type": "text_delta", "text": piece}
                        for piece in pieces(reply["text"], 7)]))
    for index, call in enumerate(calls):
        blocks.append(({"type": "tool_use", "id": call.get("id", f"toolu_{index}"),
                        "name": call["name"], "input": {}},
                       [{"type": "input_json_delta", "partial_json": piece}
                        for piece in ["", *pieces(arguments_of(call), 9)]]))
    for index, (start, deltas) in enumerate(blocks):
        if start["type"] == "tool_use" and reply.get("cutAfterText"):
            raise base.Cut
        yield event("content_block_start", index=index, content_block=start)
        for delta in deltas:
            yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    if reply.get("cutAfterText"):
        raise base.Cut
    yield event("message_delta", delta={"stop_reason": reply.get("stop")
                                        or ("tool_use" if calls else "end_turn"),
                                        "stop_sequence": None},
                usage={"output_tokens": usage.get("output", 5)})
    yield event("message_stop")


def whole_chat(reply, model):
    calls = [{"id": call.get("id", f"call_{index}"), "type": "function",
              "function": {"name": call["name"], "arguments": arguments_of(call)}}
             for index, call in enumerate(reply.get("calls", []))]
    message = {"role": "assistant", "content": reply.get("text", ""), "refusal": None}
    if calls:
        message["tool_calls"] = calls
    usage = reply.get("usage", {})
    inside, out = usage.get("input", 20) + usage.get("cached", 0), usage.get("output", 5)
    return {"id": "chatcmpl-fake", "object": "chat.completion", "created": 1700000000,
            "model": model,
            "choices": [{"index": 0, "message": message, "logprobs": None,
                         "finish_reason": reply.get("stop") or ("tool_calls" if calls
                                                                else "stop")}],
            "usage": {"prompt_tokens": inside, "completion_tokens": out,
                      "total_tokens": inside + out}}


class Llm(base.Fake):
    surfaces = ("api",)
    defaults = {"scenario": "", "replies": [], "key": "", "models": ["fake-model", "fake-claude"],
                "kind": "plain", "context": 32768, "cut": None, "cutCleanly": False, "drip": None,
                "paceMs": None}

    def bad_json(self):
        return chat_error(500, "the body is no JSON", "server_error", 500)

    def fault_body(self, exchange, status):
        return {"error": {"message": "a fault on demand", "type": "server_error", "param": None,
                          "code": status}}

    def handle(self, surface, exchange):
        dialect = "anthropic" if "anthropic-version" in exchange.headers \
            or exchange.route.startswith("/v1/messages") else "openai"
        self.check_key(exchange, dialect)
        route = (exchange.command, exchange.route)
        if route in (("POST", "/v1/chat/completions"), ("POST", "/v1/messages")):
            self.answer(exchange, dialect)
        elif route == ("GET", "/v1/models"):
            exchange.reply(200, self.listed(exchange, dialect))
        elif route == ("POST", "/v1/messages/count_tokens"):
            exchange.reply(200, {"input_tokens": 123})
        elif route == ("GET", "/props") and self.settings["kind"] == "llamacpp":
            exchange.reply(200, {"default_generation_settings": {
                "n_ctx": self.settings["context"]}, "total_slots": 1})
        elif route == ("GET", "/api/ps") and self.settings["kind"] == "ollama":
            exchange.reply(200, {"models": [
                {"name": name + ":latest", "model": name + ":latest",
                 "context_length": self.settings["context"]}
                for name in self.settings["models"] if self.settings["context"]]})
        elif route == ("POST", "/api/show") and self.settings["kind"] == "ollama":
            exchange.reply(200, {"parameters": "stop \"<end>\"\nnum_ctx        8192",
                                 "model_info": {"llama.context_length": 131072},
                                 "capabilities": ["completion", "tools"]})
        elif dialect == "anthropic":
            raise message_error(404, "not found", "not_found_error")
        else:
            raise chat_error(404, "Invalid URL", "invalid_request_error")

    def check_key(self, exchange, dialect):
        wanted = self.settings["key"]
        bearer = exchange.headers.get("Authorization", "")
        given = exchange.headers.get("x-api-key") \
            or (bearer[7:] if bearer.startswith("Bearer ") else "")
        if not wanted or given == wanted:
            return
        if dialect == "anthropic":
            raise message_error(401, "invalid x-api-key", "authentication_error")
        raise chat_error(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")

    def listed(self, exchange, dialect):
        names, kind = self.settings["models"], self.settings["kind"]
        if dialect == "anthropic":
            # One a page, so that pages are gone through.
            after = exchange.query.get("after_id", [""])[0]
            at = names.index(after) + 1 if after in names else 0
            page = names[at:at + 1]
            return {"data": [{"type": "model", "id": name, "display_name": name.title(),
                              "created_at": "2026-01-01T00:00:00Z"} for name in page],
                    "has_more": at + 1 < len(names), "first_id": page[0] if page else None,
                    "last_id": page[-1] if page else None}
        more = {"llamacpp": {"owned_by": "llamacpp"}, "ollama": {"owned_by": "library"},
                "vllm": {"owned_by": "vllm", "max_model_len": self.settings["context"]}}
        return {"object": "list", "data": [{"id": name, "object": "model", "created": 1700000000,
                                            "owned_by": "fake", **more.get(kind, {})}
                                           for name in names]}

    def scripted(self, body):
        last = json.dumps(body["messages"][-1:], ensure_ascii=False)
        with self.lock:
            replies = self.settings["replies"]
            for at, reply in enumerate(replies):
                if reply.get("model", body["model"]) == body["model"] \
                        and reply.get("match", "") in last:
                    self.settings["replies"] = replies[:at] + replies[at + 1:]
                    return reply
        return None

    def answer(self, exchange, dialect):
        body = exchange.json()
        if dialect == "anthropic":
            check_messages(body, exchange.headers)
            if not isinstance(body.get("max_tokens"), int):
                raise message_error(400, "max_tokens: Field required")
        else:
            check_chat(body)
        reply = self.scripted(body)
        if reply is not None:
            self.play_script(exchange, dialect, body, reply)
            return
        for name in (self.settings["scenario"], body["model"], "text"):
            path = RECORDINGS / f"{dialect}-{name}.json"
            if name and "/" not in name and path.is_file():
                self.play(exchange, json.loads(path.read_text(encoding="utf-8")), name,
                          body.get("stream", False))
                return

    def limit(self, exchange):
        for fault, setting in (("cutAfter", "cut"), ("chunk", "drip")):
            if self.settings[setting] is not None:
                exchange.fault = {**exchange.fault, fault: self.settings[setting]}
        if self.settings["cut"] is not None and self.settings["cutCleanly"]:
            exchange.fault = {**exchange.fault, "cutAfter": None}

    def send(self, exchange, data, sent):
        """False when the body ends here."""
        if self.settings["cut"] is not None and self.settings["cutCleanly"]:
            data = data[:max(0, self.settings["cut"] - sent)]
        if data:
            exchange.write(data)
        return self.settings["cut"] is None or not self.settings["cutCleanly"] \
            or sent + len(data) < self.settings["cut"]

    def play(self, exchange, recording, name, streams):
        """What was recorded, as it was."""
        if not recording["status"]:
            exchange.stall()
        headers = {key: value for key, value in recording["headers"].items()
                   if key.lower() not in HOP_HEADERS}
        kind = recording["headers"].get("content-type", "application/json")
        data = [bytes.fromhex(piece["hex"]) if isinstance(piece, dict) else piece.encode()
                for piece in recording["writes"]]
        if recording["status"] >= 400:
            raise base.Refusal(recording["status"], b"".join(data), headers, kind)
        if not streams:
            whole = RECORDINGS / "openai-nonstream.json"
            exchange.reply(200, json.loads(whole.read_text())["writes"][0].encode())
            return
        pace = self.settings["paceMs"]
        if pace is None:
            pace = 30 if name == "slow" else 0
        self.limit(exchange)
        exchange.begin(200, headers, kind)
        sent = 0
        for piece in data:
            if not self.send(exchange, piece, sent):
                break
            sent += len(piece)
            if pace:
                self.sleep(pace / 1000)
                if exchange.gone():
                    raise BrokenPipeError
        if name == "cut":
            raise base.Cut
        exchange.finish_body()

    def show_life(self, exchange, dialect, milliseconds):
        sign = b"event: ping\ndata: {\"type\": \"ping\"}\n\n" if dialect == "anthropic" \
            else b": PROCESSING\n\n"
        for _ in range(0, milliseconds, 20):
            exchange.write(sign)
            self.sleep(0.02)
            if exchange.gone():
                raise BrokenPipeError

    def play_script(self, exchange, dialect, body, reply):
        if "status" in reply:
            told = reply.get("error", "as scripted")
            raise message_error(reply["status"], told, "api_error") if dialect == "anthropic" \
                else chat_error(reply["status"], told, "server_error")
        if reply.get("delayMs"):
            self.sleep(reply["delayMs"] / 1000)
        if dialect == "openai" and not body.get("stream"):
            exchange.reply(200, whole_chat(reply, body["model"]))
            return
        usage = (body.get("stream_options") or {}).get("include_usage")
        events = message_events(reply, body["model"]) if dialect == "anthropic" \
            else chat_events(reply, body["model"], usage)
        self.limit(exchange)
        exchange.begin(200, {"cache-control": "no-cache"}, "text/event-stream; charset=utf-8")
        sent = 0
        self.show_life(exchange, dialect, reply.get("signsMs", 0))
        events = list(events) if reply.get("lateMs") else events
        for event in events:
            if reply.get("lateMs") and event is events[-1]:
                self.show_life(exchange, dialect, reply["lateMs"])
            if not self.send(exchange, event, sent):
                break
            sent += len(event)
            if reply.get("gapMs"):
                self.sleep(reply["gapMs"] / 1000)
                if exchange.gone():
                    raise BrokenPipeError
        exchange.finish_body()


if __name__ == "__main__":
    sys.exit(Llm().main())
