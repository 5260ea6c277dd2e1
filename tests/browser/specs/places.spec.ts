/** Where the files lie: under any path of any host, beside the page or elsewhere. */

import { act, myTurn, viewOf } from "../lib/play";
import { expect, hostPage, test } from "../lib/site";

test("under a sub-path of a plain host the site plays, keeps itself and plays on without a connection", async ({ page, context, host }) => {
  host.faults.under = "/some/where";
  await page.goto(`${host.url}/some/where/index.html`);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Gnomes" }).click();
  await myTurn(page.locator("tandem-game"));
  await expect(page.locator("#offline")).toContainText("kept");
  await context.setOffline(true);
  await page.goto(`${host.url}/some/where/gnomes.html?board=5A&seed=3&pace=0`);
  expect((await myTurn(page.locator("tandem-game"))).board).toBe("5A");
  await page.getByRole("link", { name: "Tandem", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a game whose files lie elsewhere is told where by base", async ({ page, host }) => {
  host.faults.pages = {
    "/page/game.html": hostPage(`<tandem-game id="g" board="practice" base="../pkg" journal="off"></tandem-game>
      <tandem-game id="astray" board="practice" base="./nowhere/" journal="off"></tandem-game>`),
  };
  await page.goto(`${host.url}/page/game.html`);
  expect((await myTurn(page.locator("#g"))).turn).toBe(0);
  await expect(page.locator("#astray").getByRole("alert")).toContainText(/worker\.js/);
  await expect(page.locator("#astray").getByRole("alert")).toContainText(`${host.url}/page/nowhere/`);
});

test("an element taken out and put back goes on where it was", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(`<tandem-game id="g" board="practice" partner="mute" seed="7" pace="0" journal="off"></tandem-game>`) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await myTurn(game);
  await act(game, "stay");
  const before = await myTurn(game);
  await page.evaluate(async () => {
    const game = document.querySelector("#g")!;
    game.remove();
    await new Promise((done) => requestAnimationFrame(done));
    document.body.append(game);
  });
  await expect.poll(() => page.workers().length).toBe(1);
  await expect.poll(async () => (await viewOf(game))?.history ?? null).toEqual(before.history);
  await act(game, "stay");
  await expect.poll(async () => (await viewOf(game)).history.length).toBeGreaterThan(before.history.length);
});

test("other attributes begin another game, in one worker", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(`<tandem-game id="g" board="practice" partner="mute" journal="off"></tandem-game>`) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await myTurn(game);
  await game.evaluate((element) => {
    element.setAttribute("board", "5A");
    element.setAttribute("partner", "comm");
    element.setAttribute("seed", "5");
  });
  await expect.poll(async () => (await viewOf(game))?.board).toBe("5A");
  await expect.poll(() => page.workers().length).toBe(1);
  await game.evaluate((element) => element.setAttribute("board", "9Z"));
  await expect(game.getByRole("alert")).toContainText("9Z");
  await expect.poll(() => page.workers().length).toBe(0);
  await game.evaluate((element) => element.setAttribute("board", "practice"));
  await expect.poll(async () => (await viewOf(game))?.board).toBe("practice");
});
