import { execFileSync } from "node:child_process";
import { defineConfig } from "@playwright/test";

const chromium = process.env["TANDEM_CHROMIUM"] ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();

/** One browser at a time, nothing tried twice: what fails once is a fault. */
export default defineConfig({
  testDir: "specs",
  outputDir: "results/output",
  reporter: [["list"]],
  workers: 1,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: {
      executablePath: chromium,
      args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-quic"],
    },
    viewport: { width: 1200, height: 900 },
  },
});
