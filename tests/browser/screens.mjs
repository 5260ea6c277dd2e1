/** Pictures of every page, wide and on a phone, light and dark, for somebody to look at: results/screens. */

import { chromium } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const server = process.env.TANDEM_SERVER ?? join(root, "target/debug/tandem-server");
const site = process.env.TANDEM_SITE ?? join(root, "www/site");
const executablePath = process.env.TANDEM_CHROMIUM ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
const out = join(import.meta.dirname, "results/screens");
mkdirSync(out, { recursive: true });

const child = spawn(server, ["--dir", site, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found) => child.stdout.once("data", (data) => found(data.toString().trim().split("\n")[0])));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"] });

const only = process.argv.slice(2);
for (const [size, viewport] of [["wide", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    for (const [name, path] of Object.entries({ index: "", gnomes: "gnomes.html?board=9A&seed=7&pace=0", watch: "watch.html?seed=7&pace=300", replay: "replay.html", embed: "embed.html", end: "gnomes.html?board=practice&seed=7&pace=0", follower: "cogrip.html?board=crowd&seed=7&pace=0", guide: "cogrip.html?board=crowd&role=guide&seed=7&pace=0", agents: "cogrip.html?board=crowd&role=watch&seed=7&pace=0&insight=open" })) {
      if (only.length > 0 && !only.includes(name)) continue;
      const page = await context.newPage();
      page.on("console", (message) => message.type() === "error" && console.error(`${name}: ${message.text()}`));
      await page.goto(`${url.replace(/\/?$/, "/")}${path}`);
      if (path.startsWith("gnomes") || path.startsWith("watch")) {
        await page.waitForFunction(() => document.querySelector("tandem-game")?.view);
        await page.evaluate(async (name) => {
          const game = document.querySelector("tandem-game");
          const mine = () => new Promise((done) => { const look = () => (game.view.turn === 0 || game.view.turn === null ? done() : game.addEventListener("view", look, { once: true })); look(); });
          if (name === "watch") { await new Promise((done) => setTimeout(done, 4000)); await game.pause(); return; }
          await game.say("can you go right?");
          for (let turn = 0; turn < (name === "end" ? 400 : 3); turn += 1) {
            await mine();
            if (game.view.turn === null) return;
            const open = game.view.open.filter((action) => action !== "stay");
            await game.act(open[(turn * 7 + (turn >> 2)) % open.length]).catch(() => {});
          }
          await mine();
        }, name);
      }
      if (path.startsWith("cogrip")) {
        await page.waitForFunction(() => { const view = document.querySelector("tandem-game")?.view; return view && (view.turn === view.seat || view.turn === null); });
        await page.evaluate(async (name) => {
          const game = document.querySelector("tandem-game");
          const mine = () => new Promise((done) => { const look = () => (game.view.turn === game.view.seat ? done() : game.addEventListener("view", look, { once: true })); look(); });
          for (const deed of { follower: [{ do: "left" }, { do: "left" }, { do: "down" }], guide: [{ say: "csp" }, { say: "silence" }, { say: "confirm" }], agents: [] }[name]) {
            await mine();
            await game.act(deed);
          }
          if (name !== "agents") await mine();
        }, name);
      }
      if (name === "replay") {
        await page.setInputFiles("#file", join(root, "tests/traces/9a-comm.jsonl"));
        await page.waitForFunction(() => document.querySelector("#where")?.textContent);
        await page.evaluate(() => { const at = document.querySelector("#at"); at.value = "23"; at.dispatchEvent(new Event("input")); });
        await page.waitForFunction(() => document.querySelector("#where").textContent.startsWith("step 23"));
      }
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(out, `${name}-${size}-${colorScheme}.png`), fullPage: name !== "gnomes" });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
child.kill();
