import { cp, mkdir } from "node:fs/promises";
import { defineConfig } from "vite";

// The element as one file that any page can load; its fonts lie beside it in assets/.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../pkg",
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: { entry: "src/element/index.ts", formats: ["es"], fileName: () => "tandem-game.js" },
    rollupOptions: { output: { codeSplitting: false } },
  },
  // Workers and wasm are found at run time, from the element's base.
  worker: { format: "es" },
  plugins: [
    {
      name: "fonts-beside-the-element",
      async closeBundle() {
        const fonts = "node_modules/@fontsource/atkinson-hyperlegible/files";
        await mkdir("../pkg/assets", { recursive: true });
        for (const weight of [400, 700]) {
          const name = `atkinson-hyperlegible-latin-${weight}-normal.woff2`;
          await cp(`${fonts}/${name}`, `../pkg/assets/${name}`);
        }
      },
    },
  ],
});
