import { myTurn } from "../lib/play";
import { expect, hostPage, test } from "../lib/site";

const GAME = `<tandem-game id="g" board="practice" partner="comm" seed="7" journal="off" style="height:600px"></tandem-game>`;

test("wasm served as a plain download still plays", async ({ page, host }) => {
  host.faults = { pages: { "/game.html": hostPage(GAME) }, wasmType: "application/octet-stream" };
  await page.goto(`${host.url}/game.html`);
  expect((await myTurn(page.locator("#g"))).turn).toBe(0);
});

test("a web page in place of the wasm file is named, with what to do", async ({ page, host }) => {
  host.faults = { pages: { "/game.html": hostPage(GAME) }, wasmMissing: true };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g")).toContainText(/tandem_bg\.wasm.*404/s);
  await expect(page.locator("#g")).toContainText(/Copy the whole folder/);
  host.faults.wasmMissing = false;
  await page.locator("#g").getByRole("button", { name: "Try again" }).click();
  expect((await myTurn(page.locator("#g"))).turn).toBe(0);
});

test("a policy without wasm-unsafe-eval is named, with the words to add", async ({ page, host }) => {
  host.faults = { pages: { "/game.html": hostPage(GAME) }, policy: "script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'" };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g")).toContainText(/Content-Security-Policy forbids WebAssembly/);
  await expect(page.locator("#g")).toContainText(/script-src 'self' 'wasm-unsafe-eval'/);
});

test("a strict policy with wasm-unsafe-eval plays", async ({ page, host }) => {
  host.faults = {
    pages: { "/game.html": hostPage(GAME) },
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; connect-src 'self'; font-src 'self'; worker-src 'self'; img-src 'self' data:",
  };
  await page.goto(`${host.url}/game.html`);
  expect((await myTurn(page.locator("#g"))).turn).toBe(0);
});

test("half a wasm file is named as damaged", async ({ page, host }) => {
  host.faults = { pages: { "/game.html": hostPage(GAME) }, wasmCut: true };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g").getByRole("alert")).toContainText(/tandem_bg\.wasm is not whole/);
});

for (const file of ["worker.js", "wasm/tandem.js"]) {
  test(`${file} that is not there is named`, async ({ page, host }) => {
    host.faults = { pages: { "/game.html": hostPage(GAME) }, missing: [`/pkg/${file}`] };
    await page.goto(`${host.url}/game.html`);
    await expect(page.locator("#g").getByRole("alert")).toContainText(file.split("/").at(-1)!);
    await expect(page.locator("#g").getByRole("alert")).toContainText(/Copy the whole folder/);
  });
}

test("scripts of the wrong type are named, with the type they need", async ({ page, host }) => {
  host.faults = { pages: { "/game.html": hostPage(GAME) }, scriptType: "text/plain" };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g").getByRole("alert")).toContainText(/text\/plain/);
  await expect(page.locator("#g").getByRole("alert")).toContainText(/text\/javascript/);
});

test("a policy that forbids workers is named", async ({ page, host }) => {
  host.faults = {
    pages: { "/game.html": hostPage(GAME) },
    policy: "script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; worker-src 'none'",
  };
  await page.goto(`${host.url}/game.html`);
  await expect(page.locator("#g").getByRole("alert")).toContainText(/Content-Security-Policy forbids the game's worker/);
});
