/** Saving at the real data sink: through a lost network, reloads and a sink that fails, every row arrives once, in order. */

import type { Locator, Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { act, myTurn, playOn, trace } from "../lib/play";
import { expect, hostPage, test as base } from "../lib/site";

const root = resolve(import.meta.dirname, "../../..");
const server = process.env["TANDEM_SERVER"] ?? join(root, "target/debug/tandem-server");
const site = process.env["TANDEM_SITE"] ?? join(root, "www/site");

/** tandem-server with site and sink, which can be killed and started again at the same address. */
class SinkServer {
  readonly #dir = mkdtempSync(join(tmpdir(), "tandem-save-"));
  #child: ChildProcess | null = null;
  url = "";

  async start(): Promise<void> {
    const port = this.url ? Number(new URL(this.url).port) : 0;
    const config = join(this.#dir, "server.toml");
    const quoted = JSON.stringify;
    writeFileSync(config, `[listen]\nport = ${port}\n[site]\ndir = ${quoted(site)}\n[session.studies.pilot]\n[data]\ndir = ${quoted(join(this.#dir, "data"))}\n[limits]\nsession_per_minute = 600\n`);
    const child = spawn(server, ["serve", "--config", config], { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    this.url = await new Promise<string>((found, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`the server ended with ${code}`)));
      child.stdout?.once("data", (data: Buffer) => found(data.toString().trim().split("\n")[0]!.replace(/\/?$/, "/")));
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  /** What the sink has of the only session. */
  file(): string {
    const folder = join(this.#dir, "data/pilot/P01");
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(names).toHaveLength(1);
    return readFileSync(join(folder, names[0]!), "utf8");
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true });
  }
}

const test = base.extend<{ sink: SinkServer; game: Locator }>({
  sink: async ({}, use) => {
    const sink = new SinkServer();
    await sink.start();
    await use(sink);
    await sink.kill();
    sink.remove();
  },
  /** A game on a page of the sink's own host, whose clock the test can move. */
  game: async ({ page, sink }, use) => {
    await open(page, sink, 'save="/" study="pilot" participant="P01"');
    await use(page.locator("tandem-game"));
  },
});

async function open(page: Page, sink: SinkServer, attributes: string): Promise<void> {
  const body = `<tandem-game board="practice" seed="7" pace="0" ${attributes}></tandem-game>`;
  await page.route("**/study.html", (route) => route.fulfill({ contentType: "text/html", body: hostPage(body) }));
  await page.clock.install();
  await page.goto(`${sink.url}study.html`);
}

async function turns(game: Locator, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await myTurn(game);
    await act(game, "stay");
  }
}

const finish = (game: Locator) => playOn(game, (_, action) => act(game, action));
const panel = (game: Locator) => game.locator(".saving-end");

/** The end says saved, and file, page and download are the same, byte for byte. */
async function isWhole(page: Page, game: Locator, sink: SinkServer): Promise<void> {
  await expect(panel(game)).toHaveAttribute("data-state", "saved");
  const text = await trace(game);
  await expect(panel(game)).toContainText(`All ${text.trim().split("\n").length} rows have arrived`);
  const [download] = await Promise.all([page.waitForEvent("download"), panel(game).getByRole("button", { name: "Download the trace" }).click()]);
  expect((await (await download.createReadStream()).toArray()).join("")).toBe(text);
  expect(sink.file()).toBe(text);
}

for (const seconds of [5, 60]) {
  test(`the network is away for ${seconds} s in the middle of a game`, async ({ page, context, game, sink }) => {
    await turns(game, 2);
    await context.setOffline(true);
    await turns(game, 3);
    await page.clock.fastForward(seconds * 1000);
    await expect(game.locator(".saving")).toHaveText("Waiting for the network");
    await turns(game, 1);
    await context.setOffline(false);
    await finish(game);
    await isWhole(page, game, sink);
  });
}

test("the end claims nothing before the sink has acknowledged the last row", async ({ page, context, game, sink }) => {
  await turns(game, 2);
  await context.setOffline(true);
  await finish(game);
  await expect(panel(game)).toContainText("Waiting for the network");
  await expect(panel(game)).not.toContainText("is saved");
  await expect(panel(game).getByRole("button", { name: "Download the trace" })).toBeVisible();
  await context.setOffline(false);
  await isWhole(page, game, sink);
});

test("a page that is loaded again while answers are lost goes on with the same chunks", async ({ page, game, sink }) => {
  await page.route("**/v1/data/**", async (route) => {
    // The chunk arrives, its acknowledgement does not.
    await route.fetch();
    await route.abort();
  });
  const arrived = page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/data/"));
  await turns(game, 3);
  await arrived;
  await page.unroute("**/v1/data/**");
  await page.reload();
  await game.getByRole("button", { name: "Go on" }).click();
  await finish(game);
  await isWhole(page, game, sink);
});

test("a sink that is killed and comes back, with another secret, gets everything", async ({ page, game, sink }) => {
  await turns(game, 2);
  await sink.kill();
  await turns(game, 3);
  await sink.start();
  await finish(game);
  await page.clock.fastForward(60_000);
  await isWhole(page, game, sink);
});

for (const [status, code] of [[507, "full"], [500, "not_stored"], [429, "data_rate"], [413, "too_large"]] as const) {
  test(`a sink that answers ${status} at first gets everything later`, async ({ page, game, sink }) => {
    let refusals = 0;
    await page.route("**/v1/data/**", (route) => {
      refusals += 1;
      if (refusals > 2) return route.continue();
      const body = JSON.stringify({ error: { message: "not now", type: "server_error", code } });
      return route.fulfill({ status, contentType: "application/json", headers: { "Retry-After": "3" }, body });
    });
    await turns(game, 2);
    await finish(game);
    await expect.poll(async () => {
      await page.clock.fastForward(40_000);
      return panel(game).getAttribute("data-state");
    }).toBe("saved");
    expect(refusals).toBeGreaterThan(2);
    await isWhole(page, game, sink);
  });
}

test("a sink that refuses for good is named, and the download is offered", async ({ page, sink }) => {
  await open(page, sink, 'save="/" study="unknown" participant="P01"');
  const game = page.locator("tandem-game");
  await finish(game);
  await expect(panel(game)).toHaveAttribute("data-state", "refused");
  await expect(panel(game)).toContainText("there is no such study");
  await expect(panel(game).getByRole("button", { name: "Download the trace" })).toBeVisible();
});

test("a page without a sink asks for nothing", async ({ page, sink }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(page, sink, 'study="pilot" participant="P01"');
  const game = page.locator("tandem-game");
  await finish(game);
  await expect(game.locator("tandem-gnomes-end")).toBeVisible();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((path) => path.includes("/v1/"))).toEqual([]);
  await expect(panel(game)).toHaveCount(0);
  await expect(game.getByRole("button", { name: "Download the trace" })).toBeVisible();
});
