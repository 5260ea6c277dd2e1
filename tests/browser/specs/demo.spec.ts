/** What `cargo xtask serve` serves: the program with demo.toml as it is. A whole game with model language, and no network. */

import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { act, myTurn, playOn, replayed, trace, viewOf } from "../lib/play";
import { expect, test as base } from "../lib/site";

const root = resolve(import.meta.dirname, "../../..");
const server = process.env["TANDEM_SERVER"] ?? join(root, "target/debug/tandem-server");
const site = process.env["TANDEM_SITE"] ?? join(root, "www/site");

interface Call { model: string; outcome: string; stream: boolean }

/** A running demo: its address, and what its log of calls has. */
interface Demo { url: string; calls(): Call[] }

const test = base.extend<{ demo: Demo }>({
  demo: async ({}, use) => {
    // The configuration names files as seen from the top directory: here that is a directory of its own.
    const top = mkdtempSync(join(tmpdir(), "tandem-demo-"));
    mkdirSync(join(top, "crate/server"), { recursive: true });
    mkdirSync(join(top, "target/serve"), { recursive: true });
    for (const name of ["demo.toml", "demo.rules.json"]) copyFileSync(join(root, "crate/server", name), join(top, "crate/server", name));
    const program = spawn(server, ["--config", "crate/server/demo.toml", "--dir", site, "--port", "0"], { cwd: top, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = await new Promise<string>((found, failed) => {
        program.once("error", failed);
        program.once("exit", (code) => failed(new Error(`the server ended with ${code}`)));
        program.stdout.once("data", (data: Buffer) => found(data.toString().trim()));
      });
      const log = join(top, "target/serve/calls.jsonl");
      await use({ url, calls: () => readFileSync(log, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line) as Call) });
    } finally {
      program.removeAllListeners("exit");
      const ended = new Promise((done) => program.once("exit", done));
      if (program.exitCode === null) {
        program.kill();
        await ended;
      }
      rmSync(top, { recursive: true });
    }
  },
});

test("the demo plays a whole game through its language model, streaming, without a network", async ({ page, context, demo }) => {
  const foreign: string[] = [];
  await context.route((url) => url.origin !== demo.url, (route) => {
    foreign.push(route.request().url());
    return route.abort("internetdisconnected");
  });
  await page.goto(`${demo.url}/gnomes.html?language=proxy&board=practice&seed=7&pace=0`);
  const game = page.locator("tandem-game").first();
  await myTurn(game);
  const say = (text: string) => game.evaluate((element, text) => (element as unknown as { say(text: string): Promise<void> }).say(text), text);
  await say("where is the treasure?");
  await expect.poll(async () => (await viewOf(game)).messages.some(({ text }) => text === "I am a script and know only a few words.")).toBe(true);
  await expect(game.locator("tandem-chat")).toContainText("read by default, answered by default");
  await say("go down");
  await act(game, "stay");
  await playOn(game, (_, action) => act(game, action));
  expect((await viewOf(game)).outcome?.completed).toBe(true);

  const text = await trace(game);
  const lines = text.trim().split("\n").map((line) => JSON.parse(line) as { event?: string; answer?: { reply?: unknown } });
  const answers = lines.filter(({ event }) => event === "answer");
  expect(answers.length).toBeGreaterThanOrEqual(3);
  expect(answers.every(({ answer }) => answer?.reply)).toBe(true);
  expect(await replayed(page, text)).toMatchObject({ complete: true, matches: true });
  await expect.poll(() => demo.calls().length).toBe(answers.length);
  expect(demo.calls().every(({ model, outcome, stream }) => model === "scripted" && outcome === "ok" && stream)).toBe(true);
  expect(foreign).toEqual([]);
});

test("a page of the site may ask a model server at another address that lets it", async ({ page, demo }) => {
  // By its other name the demo is a server of another origin.
  const other = new URL(demo.url);
  other.hostname = "localhost";
  await page.goto(`${demo.url}/gnomes.html?language=${encodeURIComponent(`${other.origin}/v1`)}&board=practice&seed=7&pace=0`);
  const game = page.locator("tandem-game").first();
  await myTurn(game);
  await game.evaluate((element) => (element as unknown as { say(text: string): Promise<void> }).say("where is the treasure?"));
  await expect(game.locator("tandem-chat")).toContainText("read by default, answered by default");
  expect(demo.calls().length).toBeGreaterThan(0);
});
