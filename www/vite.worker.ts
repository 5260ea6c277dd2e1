import { defineConfig } from "vite";

// The worker in which the library runs, as one file beside the element.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../pkg",
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: { entry: "src/engine/worker.ts", formats: ["es"], fileName: () => "worker.js" },
    rollupOptions: { output: { codeSplitting: false } },
  },
});
