/** Gnomes at Night through a language model: who reads, what the trace keeps, and what happens when no model answers. */

import type { Locator, Page } from "@playwright/test";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { act, myTurn, playOn, replayed, trace, viewOf } from "../lib/play";
import { expect, hostPage, test, type ChatBody, type Host } from "../lib/site";

interface Line {
  event?: string; derived?: string; answer?: { reply?: unknown; failed?: unknown };
  record?: Record<string, unknown>; because?: { heard?: Record<string, string>[] };
}

async function open(page: Page, host: Host, attributes = `language="proxy" model="small"`): Promise<Locator> {
  const game = `<tandem-game id="g" board="practice" partner="comm" seed="7" pace="0" journal="off" style="height:700px" ${attributes}></tandem-game>`;
  host.faults.pages = { "/game.html": hostPage(game) };
  await page.goto(`${host.url}/game.html`);
  const element = page.locator("#g");
  await myTurn(element);
  return element;
}

async function lines(game: Locator): Promise<Line[]> {
  return (await trace(game)).trim().split("\n").map((line) => JSON.parse(line) as Line);
}

function say(game: Locator, text: string): Promise<void> {
  return game.evaluate((element, text) => (element as unknown as { say(text: string): Promise<void> }).say(text), text);
}

/** Streams a reply in pieces, as servers do. */
function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const send = (data: object) => response.write(`data: ${JSON.stringify({ id: "1", model: "small", object: "chat.completion.chunk", ...data })}\n\n`);
  for (const piece of text.match(/[^]{1,6}/g) ?? []) send({ choices: [{ index: 0, delta: { content: piece } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage: { prompt_tokens: 300, completion_tokens: 7, total_tokens: 307 } });
  response.end("data: [DONE]\n\n");
}

/** A model that reads everything as a question, or as the direction that is named, and answers with a sentence. */
function model({ messages }: ChatBody, response: ServerResponse): void {
  const [system, user] = [messages[0]?.content ?? "", messages.at(-1)?.content ?? ""];
  if (system.includes("asks you something")) return stream(response, "I see what I see.");
  const label = /left|right|up|down/.exec(user)?.[0] ?? "inquiry";
  stream(response, JSON.stringify({ label }));
}

test("a whole game with messages read and answered by a model; trace and chat say so", async ({ page, host }) => {
  const asked: ChatBody[] = [];
  host.faults.chat = (body, response) => {
    asked.push(body);
    model(body, response);
  };
  const game = await open(page, host);
  await say(game, "what do you make of it?");
  await expect.poll(async () => (await viewOf(game)).messages.map(({ text }) => text)).toContain("I see what I see.");
  await expect(game.locator("tandem-chat")).toContainText("read by small, answered by small");
  await say(game, "go down");
  await act(game, "stay");
  await playOn(game, (_, action) => act(game, action));

  expect(asked.every(({ model, stream }) => model === "small" && stream)).toBe(true);
  expect(asked.length).toBe(3);
  const answers = (await lines(game)).filter(({ event }) => event === "answer");
  expect(answers).toHaveLength(3);
  for (const { record } of answers) {
    expect(record).toMatchObject({ model: "small", attempts: 1, prompt_tokens: 300, completion_tokens: 7, finish: "stop" });
    expect(record).toHaveProperty("latency_millis");
  }
  // The replay has no model, and needs none.
  delete host.faults.chat;
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
});

test("a server that fails is tried again, then the library reads, and both say why", async ({ page, host }) => {
  let tries = 0;
  host.faults.chat = (_, response) => {
    tries += 1;
    response.writeHead(503, { "Content-Type": "application/json" }).end(JSON.stringify({ error: { message: "out of order", type: "server_error" } }));
  };
  const game = await open(page, host);
  await say(game, "go down");
  await act(game, "stay");
  await myTurn(game);
  expect(tries).toBe(3);
  await expect(game.locator("tandem-chat")).toContainText(/read by embedded \(.*out of order.*\)/);
  const answer = (await lines(game)).find(({ event }) => event === "answer");
  expect(answer?.record).toMatchObject({ attempts: 3, error: "refused_by_endpoint" });
  expect(answer?.answer?.failed).toBeTruthy();
});

test("a server that hangs costs one deadline, and its connection is dropped", async ({ page, host }) => {
  let dropped = 0;
  host.faults.chat = (_, response) => {
    response.on("close", () => (dropped += 1));
  };
  const game = await open(page, host);
  await say(game, "go down");
  await act(game, "stay");
  await myTurn(game);
  await expect(game.locator("tandem-chat")).toContainText("read by embedded (no reply in time)");
  await expect.poll(() => dropped).toBe(1);
  const answer = (await lines(game)).find(({ event }) => event === "answer");
  expect(answer?.record).toMatchObject({ error: "late_total" });
});

test("a game that is left takes its request with it", async ({ page, host }) => {
  let dropped = false;
  let asked = false;
  host.faults.chat = (_, response) => {
    asked = true;
    response.on("close", () => (dropped = true));
  };
  const game = await open(page, host);
  await say(game, "go down");
  await expect.poll(() => asked).toBe(true);
  await game.evaluate((element) => element.remove());
  await expect.poll(() => dropped).toBe(true);
});

test("without an endpoint, and off line, the library reads at once", async ({ page, host, context }) => {
  const game = await open(page, host);
  await say(game, "go down");
  await act(game, "stay");
  await myTurn(game);
  await expect(game.locator("tandem-chat")).toContainText("read by embedded (there is no model to ask)");
  await context.setOffline(true);
  await say(game, "go left");
  await act(game, "stay");
  await myTurn(game);
  await context.setOffline(false);
  const answers = (await lines(game)).filter(({ event }) => event === "answer");
  expect(answers.map(({ answer }) => answer?.failed)).toEqual(["absent", "absent"]);
});

test("a model of another origin is asked where the worker's policy names it; elsewhere the library reads", async ({ page, host }) => {
  let asked = 0;
  const endpoint = createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*").setHeader("Access-Control-Allow-Headers", "*");
    if (request.method === "OPTIONS") return void response.end();
    asked += 1;
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => model(JSON.parse(Buffer.concat(pieces).toString()) as ChatBody, response));
  });
  await new Promise<void>((done) => endpoint.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  try {
    for (const [named, read] of [[origin, "read by small"], ["", "read by embedded ("]]) {
      host.faults.policy = `script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ${named}; font-src 'self'`;
      const game = await open(page, host, `language="${origin}/v1" model="small"`);
      await say(game, "go down");
      await act(game, "stay");
      await myTurn(game);
      await expect(game.locator("tandem-chat")).toContainText(read!);
      expect(asked).toBe(1);
    }
  } finally {
    endpoint.closeAllConnections();
    endpoint.close();
  }
});

test("an endpoint that is none is named in the element's place", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(`<tandem-game id="g" language="somewhere"></tandem-game>`) };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g")).toContainText("embedded, proxy, or the address of an endpoint");
});

test("a round through a real model server, streaming", async ({ page, host }) => {
  const url = process.env["TANDEM_LLM_URL"];
  test.skip(!url, "TANDEM_LLM_URL names no server");
  const game = await open(page, host, `language="${url}" model="${process.env["TANDEM_LLM_MODEL"] ?? "default"}"`);
  await say(game, "where is the treasure?");
  await act(game, "stay");
  await myTurn(game);
  await playOn(game, (_, action) => act(game, action));
  const answers = (await lines(game)).filter(({ event }) => event === "answer");
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.some(({ answer }) => answer?.reply)).toBe(true);
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
});
