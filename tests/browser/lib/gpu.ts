/** A GPU that is software, golden positions of the neural Guide, as `cargo run -p tandem-guide --example golden` writes them, and how a page meets them. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { test as base } from "./site";

export const SOFTWARE = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** In a browser with such a GPU. */
export const test = base.extend<object, object>({
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...SOFTWARE] }),
    { scope: "worker" },
  ],
});

const root = resolve(import.meta.dirname, "../../..");
const folder = process.env["TANDEM_GOLDEN"] ?? join(root, "target-wasm/golden");
const site = process.env["TANDEM_SITE"] ?? join(root, "www/site");

export interface Step { x: number; y: number; logits: number[]; value: number }
export interface Golden { episodes: { tiles: number[]; steps: Step[] }[]; map: Step[] }

/** What is missing for these tests: everyday builds leave the Guide on the GPU out. */
export const missing = [join(site, "pkg/gpu/tandem_guide_gpu_bg.wasm"), join(folder, "golden.json")].filter((path) => !existsSync(path));

/** A page of the site with nothing in it, to which the golden files seem to lie beside the others. */
export async function openPage(page: Page, siteUrl: string): Promise<void> {
  await page.route("**/golden/*", (route) => route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.split("/").at(-1)!) }));
  await page.route("**/empty.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Guide</title>" }));
  await page.goto(`${siteUrl}empty.html`);
}

/** Puts words before the worker's own script. */
export async function patchWorker(page: Page, words: string): Promise<void> {
  await page.route("**/gpu-worker.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${words};\n${await response.text()}` });
  });
}

/** Words for the worker that do something when the page says so. */
export const whenTold = (what: string) => `{ const told = new BroadcastChannel("tell"); told.onmessage = async () => { ${what}; told.postMessage("done"); }; }`;
/** Words for the worker that keep its device at hand. */
export const KEEP_DEVICE = `{
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...args) { return (self.kept = await request.apply(this, args)); };
}`;

/** Tells the worker, and waits until it has done it. */
export function tellWorker(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const told = new BroadcastChannel("tell");
    await new Promise((heard) => {
      told.onmessage = heard;
      told.postMessage("now");
    });
    told.close();
  });
}
