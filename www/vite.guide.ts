import { defineConfig } from "vite";

// The neural Guide's driver, as one file beside the element.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../pkg",
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: { entry: "src/guide/index.ts", formats: ["es"], fileName: () => "guide.js" },
    rollupOptions: { output: { codeSplitting: false } },
  },
});
