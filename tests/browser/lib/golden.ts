/** Golden positions of the neural Guide, as `cargo run -p tandem-guide --example golden` writes them, and how a page meets them. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";

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
