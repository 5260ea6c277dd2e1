/** What is measured in a browser, as one flat JSON object on standard output: `cargo xtask bench` reads it. */

import { chromium } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const server = process.env.TANDEM_SERVER ?? join(root, "target/debug/tandem-server");
const site = process.env.TANDEM_SITE ?? join(root, "www/site");
const executablePath = process.env.TANDEM_CHROMIUM ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

const child = spawn(server, ["--dir", site, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found) => child.stdout.once("data", (data) => found(data.toString().trim().split("\n")[0].replace(/\/?$/, "/"))));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"] });

/** From the start of the navigation to the first view, nothing cached: median of seven visits. */
const firstViews = [];
for (let visit = 0; visit < 7; visit += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.firstView = new Promise((found) => document.addEventListener("view", () => found(performance.now()), { once: true }));
  });
  await page.goto(`${url}gnomes.html?seed=7`);
  firstViews.push(await page.evaluate(() => window.firstView));
  await context.close();
}

/** The trained Guide on the CPU, one thread: a whole board, a step to a tile that is new in this episode, and to one that is not. */
async function guide(page) {
  await page.goto(`${url}replay.html`);
  return page.evaluate(async () => {
    const at = (path) => new URL(`pkg/${path}`, location.href);
    const tandem = await import(at("wasm/tandem.js").href);
    await tandem.default({ module_or_path: at("wasm/tandem_bg.wasm") });
    const weights = async (name) => new Uint8Array(await (await fetch(at(`weights/${name}.safetensors`))).arrayBuffer());
    const guide = new tandem.CpuGuide(await weights("encoder"), await weights("eager-0.95"));
    // Twelve bars of five tiles, in turn of the six colours; the first is the target.
    const board = new Uint8Array(441);
    for (let bar = 0; bar < 12; bar += 1) for (let tile = 0; tile < 5; tile += 1) board[21 * (2 + 5 * Math.floor(bar / 3)) + 7 * (bar % 3) + tile] = 4 * (1 + (bar % 6)) + (bar === 0 ? 1 : 0);
    const timed = (work) => {
      const start = performance.now();
      work();
      return performance.now() - start;
    };
    const everywhere = () => { for (let tile = 0; tile < 441; tile += 1) guide.step(tile % 21, Math.floor(tile / 21)); };
    const times = { full: [], fresh: [], seen: [] };
    for (let turn = 0; turn < 9; turn += 1) {
      times.full.push(timed(() => guide.begin(board)));
      times.fresh.push(timed(everywhere) / 441);
      times.seen.push(timed(everywhere) / 441);
    }
    return times;
  });
}

/** Searches of the default size, in a page with nothing else in it: median of five runs of a second. */
const page = await browser.newPage();
await page.goto(`${url}replay.html`);
const searches = await page.evaluate(async () => {
  const address = new URL("pkg/wasm/tandem.js", location.href).href;
  const tandem = await import(address);
  await tandem.default({ module_or_path: new URL("tandem_bg.wasm", address) });
  return Array.from({ length: 5 }, () => tandem.bench_search(1000));
});
const { full, fresh, seen } = await guide(page);
await browser.close();
child.kill();
const precise = (number) => Number(number.toPrecision(3));
console.log(JSON.stringify({
  aismctsf_iterations_per_s_wasm: Math.round(median(searches)),
  first_view_ms: Math.round(median(firstViews)),
  guide_full_pass_ms: precise(median(full)),
  guide_step_new_ms: precise(median(fresh)),
  guide_step_seen_ms: precise(median(seen)),
}));
