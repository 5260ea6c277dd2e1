import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { expect, test } from "../lib/site";

/** Firefox is driven by another tool: Playwright needs a Firefox of its own. */
const firefox = process.env["TANDEM_FIREFOX"] ?? "/usr/bin/firefox-esr";

test("Firefox ESR plays a game to its end, and replays it", async ({ siteUrl }) => {
  test.skip(!existsSync(firefox), "there is no Firefox on this machine");
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
  try {
    const page = await browser.newPage();
    await page.goto(`${siteUrl}gnomes.html?board=practice&partner=comm&seed=7&pace=0`);
    const { digest, text, turns } = await page.evaluate(async () => {
      type Game = HTMLElement & { view: { turn: number | null; open: string[] } | null; act(action: string): Promise<void> };
      const game = document.querySelector("tandem-game") as unknown as Game;
      const over = new Promise<{ digest: string; trace: string }>((found) =>
        game.addEventListener("over", (event) => found((event as CustomEvent).detail), { once: true }));
      const mine = () => new Promise<void>((done) => {
        const look = () => (game.view && game.view.turn !== 1 ? done() : game.addEventListener("view", look, { once: true }));
        look();
      });
      let turns = 0;
      for (await mine(); game.view!.turn === 0 && turns < 2000; await mine()) {
        const open = game.view!.open.filter((action) => action !== "stay");
        // A walk that turns now and then; any walk that does not repeat itself gets there.
        await game.act(open[(turns * 7 + (turns >> 2)) % open.length]!).catch(() => undefined);
        turns += 1;
      }
      const { digest, trace } = await over;
      return { digest, text: trace, turns };
    });
    expect(turns).toBeGreaterThan(4);
    const verdict = await page.evaluate(async (text) => {
      const url = new URL("pkg/wasm/tandem.js", location.href).href;
      const tandem = await import(url);
      await tandem.default({ module_or_path: new URL("tandem_bg.wasm", url) });
      return new tandem.Replay(text).verdict() as { digest: string; matches: boolean };
    }, text);
    expect(verdict).toMatchObject({ matches: true, digest });
  } finally {
    await browser.close();
  }
});
