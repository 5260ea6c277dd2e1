/**
 * A chat, a stream and a tool call with OpenAI's own library for Node, as it is.
 *
 * Usage: clients.mjs BASE_URL, where a tandem-server with the scripted rules beside this file answers.
 */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { VERSION } from "openai/version";

const client = new OpenAI({ baseURL: `${process.argv[2]}/v1`, apiKey: "no-key-is-needed", maxRetries: 0, timeout: 20_000 });
const go = {
  type: "function",
  function: { name: "go", parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] } },
};

const ask = (text, more = {}) =>
  client.chat.completions.create({ model: "scripted", messages: [{ role: "user", content: text }], ...more });

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert(models.includes("scripted"));

const chat = await ask("Where is it?", { temperature: 0, seed: 7, max_tokens: 50 });
assert.equal(chat.choices[0].message.content, "Left of you.");
assert.equal(chat.choices[0].finish_reason, "stop");
assert(chat.usage.total_tokens > 0);

let words = "";
let usage;
for await (const chunk of await ask("Where is it?", { stream: true, stream_options: { include_usage: true } })) {
  words += chunk.choices[0]?.delta.content ?? "";
  usage = chunk.usage ?? usage;
}
assert.equal(words, "Left of you.");
assert(usage.total_tokens > 0);

const called = await ask("Go left.", { tools: [go], tool_choice: "auto" });
const [call] = called.choices[0].message.tool_calls;
assert.equal(call.function.name, "go");
assert.deepEqual(JSON.parse(call.function.arguments), { to: "left" });
assert.equal(called.choices[0].finish_reason, "tool_calls");

// The library's own helper puts the pieces of a stream together.
const stream = client.chat.completions.stream({
  model: "scripted",
  messages: [{ role: "user", content: "Go left." }],
  tools: [go],
});
const streamed = await stream.finalMessage();
assert.deepEqual(JSON.parse(streamed.tool_calls[0].function.arguments), { to: "left" });

const after = await client.chat.completions.create({
  model: "scripted",
  tools: [go],
  messages: [
    { role: "user", content: "Go left." },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: "done" },
  ],
});
assert.equal(after.choices[0].message.content, "I went there.");

await assert.rejects(
  client.chat.completions.create({ model: "another", messages: [{ role: "user", content: "x" }] }),
  (error) => error instanceof OpenAI.NotFoundError && error.code === "model_not_found",
);
await assert.rejects(ask("Too fast?"), (error) => error instanceof OpenAI.RateLimitError && error.code === "scripted");

console.log(`openai ${VERSION} for Node: a chat, streams, tool calls and errors hold`);
