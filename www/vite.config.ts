import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

// The site: every page beside this file. Its addresses are relative, so it works under any path.
const pages = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".html"));

export default defineConfig({
  base: "./",
  build: {
    outDir: "site",
    emptyOutDir: true,
    target: "es2022",
    rollupOptions: {
      input: Object.fromEntries(pages.map((page) => [page.replace(".html", ""), resolve(import.meta.dirname, page)])),
      // What a page loads from pkg/ is the finished library, put beside the pages after this build.
      external: [/^\.\/pkg\//],
    },
  },
  test: { include: ["src/**/*.test.ts"] },
});
