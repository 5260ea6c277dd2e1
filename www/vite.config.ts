import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

// The site: every page beside this file. Its addresses are relative, so it works under any path.
const here = import.meta.dirname;
const pages = readdirSync(here).filter((name) => name.endsWith(".html"));

// What all pages share stands once, in src/site/parts; `<!-- part:NAME -->` puts it in.
const parts: Plugin = {
  name: "shared-parts",
  transformIndexHtml: {
    order: "pre",
    handler(html, { filename }) {
      const part = (name: string) => readFileSync(resolve(here, `src/site/parts/${name}.html`), "utf8").trimEnd();
      const own = `href="./${basename(filename)}"`;
      return html
        .replace(/<!-- part:(\w+) -->/g, (_, name: string) => part(name))
        .replace(`<a ${own}`, `<a aria-current="page" ${own}`);
    },
  },
};

export default defineConfig({
  base: "./",
  build: {
    outDir: "site",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rollupOptions: { input: Object.fromEntries(pages.map((page) => [page.replace(".html", ""), resolve(here, page)])) },
  },
  plugins: [parts],
  test: { include: ["src/**/*.test.ts"] },
});
