"""A chat, a stream and a tool call with OpenAI's own Python library, as it is.

Usage: clients.py BASE_URL, where a tandem-server with the scripted rules beside this file answers.
"""

import json
import sys

import openai
from openai import OpenAI

client = OpenAI(base_url=sys.argv[1] + "/v1", api_key="no-key-is-needed", max_retries=0, timeout=20)
GO = {
    "type": "function",
    "function": {
        "name": "go",
        "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    },
}


def ask(text, **more):
    return client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": text}], **more)


assert "scripted" in [model.id for model in client.models.list()]

reply = ask("Where is it?", temperature=0, seed=7, max_tokens=50)
assert reply.choices[0].message.content == "Left of you.", reply
assert reply.choices[0].finish_reason == "stop" and reply.usage.total_tokens > 0, reply

chunks = list(ask("Where is it?", stream=True, stream_options={"include_usage": True}))
words = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
assert words == "Left of you.", words
assert chunks[-1].usage.total_tokens > 0, chunks[-1]

reply = ask("Go left.", tools=[GO], tool_choice="auto")
(call,) = reply.choices[0].message.tool_calls
assert (call.function.name, json.loads(call.function.arguments)) == ("go", {"to": "left"}), call
assert reply.choices[0].finish_reason == "tool_calls"

name, arguments = "", ""
for chunk in ask("Go left.", tools=[GO], stream=True):
    for part in chunk.choices[0].delta.tool_calls or []:
        name += part.function.name or ""
        arguments += part.function.arguments or ""
assert (name, json.loads(arguments)) == ("go", {"to": "left"}), (name, arguments)

history = [
    {"role": "user", "content": "Go left."},
    {"role": "assistant", "content": None, "tool_calls": [call.model_dump()]},
    {"role": "tool", "tool_call_id": call.id, "content": "done"},
]
reply = client.chat.completions.create(model="scripted", messages=history, tools=[GO])
assert reply.choices[0].message.content == "I went there.", reply

try:
    client.chat.completions.create(model="another", messages=[{"role": "user", "content": "x"}])
    raise SystemExit("a model that is not offered replied")
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error
try:
    ask("Too fast?")
    raise SystemExit("a refusal replied")
except openai.RateLimitError as error:
    assert error.code == "scripted", error

print(f"openai {openai.__version__} for Python: a chat, streams, tool calls and errors hold")
