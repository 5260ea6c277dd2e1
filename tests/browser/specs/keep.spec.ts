import { act, myTurn, playOn, trace, viewOf } from "../lib/play";
import { expect, test } from "../lib/site";

const PAGE = "gnomes.html?board=practice&partner=comm&seed=7&pace=0";

test("reloading in the middle of a game offers to go on, and goes on where it was", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}${PAGE}`);
  const game = page.locator("tandem-game");
  for (let turn = 0; turn < 3; turn += 1) {
    await myTurn(game);
    await act(game, "stay");
  }
  const before = await myTurn(game);
  const lines = (await trace(game)).split("\n");
  await page.reload();
  await game.getByRole("button", { name: "Go on" }).click();
  const after = await myTurn(game);
  expect(after).toEqual(before);
  const longer = (await trace(game)).split("\n");
  expect(longer.slice(0, lines.length - 1)).toEqual(lines.slice(0, -1));
  await playOn(game, (_, action) => act(game, action));
  await expect(game.locator("tandem-gnomes-end")).toBeVisible();
  await game.getByRole("link", { name: "Open in Replay" }).click();
  await expect(page.locator("#verdict")).toContainText("outcome and digest are equal");
});

test("starting anew keeps the old game for download", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}${PAGE}`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  await act(game, "stay");
  await myTurn(game);
  const old = await trace(game);
  await page.reload();
  await game.getByRole("button", { name: "Start anew" }).click();
  expect((await myTurn(game)).history).toHaveLength(0);
  await game.getByText("Earlier games").click();
  const [download] = await Promise.all([page.waitForEvent("download"), game.getByRole("button", { name: "Download", exact: true }).first().click()]);
  expect((await (await download.createReadStream()).toArray()).join("").trim()).toBe(old.trim());
});

test("after the first visit the site works without a connection", async ({ page, context, siteUrl }) => {
  await page.goto(`${siteUrl}${PAGE}`);
  await myTurn(page.locator("tandem-game"));
  await expect(page.locator("#offline")).toContainText("kept");
  await context.setOffline(true);
  await page.goto(`${siteUrl}gnomes.html?board=5A&partner=comm&seed=3&pace=0`);
  expect((await myTurn(page.locator("tandem-game"))).board).toBe("5A");
  await page.goto(`${siteUrl}index.html`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("watching: step by step, then to the end", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}watch.html?board=practice&seed=2&pace=300`);
  const game = page.locator("tandem-game");
  await expect.poll(async () => (await viewOf(game))?.history.length ?? -1).toBeGreaterThanOrEqual(0);
  await game.getByRole("button", { name: "Step" }).click();
  await game.getByRole("button", { name: "Step" }).click();
  await expect.poll(async () => (await viewOf(game)).history.length).toBeGreaterThan(0);
  await game.getByLabel("Speed").selectOption("16");
  await game.getByRole("button", { name: "Run" }).click();
  await expect(game.locator("tandem-gnomes-end")).toBeVisible({ timeout: 60_000 });
});
