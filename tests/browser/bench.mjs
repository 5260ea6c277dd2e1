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

/** Searches of the default size, in a page with nothing else in it: median of five runs of a second. */
const page = await browser.newPage();
await page.goto(`${url}replay.html`);
const searches = await page.evaluate(async () => {
  const address = new URL("pkg/wasm/tandem.js", location.href).href;
  const tandem = await import(address);
  await tandem.default({ module_or_path: new URL("tandem_bg.wasm", address) });
  return Array.from({ length: 5 }, () => tandem.bench_search(1000));
});
await browser.close();
child.kill();
console.log(JSON.stringify({ aismctsf_iterations_per_s_wasm: Math.round(median(searches)), first_view_ms: Math.round(median(firstViews)) }));
