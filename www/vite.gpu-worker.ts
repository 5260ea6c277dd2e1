import { defineConfig } from "vite";

// The worker of the Guide on the GPU, as one file beside the element.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../pkg",
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: { entry: "src/guide/gpu-worker.ts", formats: ["es"], fileName: () => "gpu-worker.js" },
    rollupOptions: { output: { codeSplitting: false } },
  },
});
