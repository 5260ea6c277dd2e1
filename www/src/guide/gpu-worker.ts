/**
 * The worker of the Guide on the GPU: an instance of its own, in a thread of its own, so that whatever goes wrong in it,
 * an endless loop among it, ends with this worker and nothing else.
 */

import type { Decision, DecisionMap } from "./backend";
import type { GpuCall, GpuCalls, GpuReply, GpuRequest } from "./gpu-protocol";

/** The bindings as far as this worker uses them. */
interface Library {
  default(options: { module_or_path: Promise<Response> }): Promise<unknown>;
  open(encoder: Uint8Array, head: Uint8Array): Promise<GpuGuide>;
}
interface GpuGuide {
  begin(tiles: Uint8Array): void;
  step(x: number, y: number): Promise<Decision>;
  map(): Promise<DecisionMap>;
}

let guide: GpuGuide | null = null;

const answers: { [C in GpuCall]: (args: GpuCalls[C]["args"]) => Promise<GpuCalls[C]["gives"]> } = {
  async open({ base, encoder, head }) {
    const library = (await import(/* @vite-ignore */ new URL("gpu/tandem_guide_gpu.js", base).href)) as Library;
    await library.default({ module_or_path: fetch(new URL("gpu/tandem_guide_gpu_bg.wasm", base)) });
    guide = await library.open(encoder, head);
    return null;
  },
  async begin({ tiles }) {
    opened().begin(tiles);
    return null;
  },
  step: ({ x, y }) => opened().step(x, y),
  map: () => opened().map(),
};

self.addEventListener("message", async ({ data }: MessageEvent<GpuRequest>) => {
  const tell = (reply: GpuReply) => (self as unknown as { postMessage(reply: GpuReply): void }).postMessage(reply);
  try {
    const answer = answers[data.call] as (args: unknown) => Promise<unknown>;
    tell({ id: data.id, value: await answer(data.args) });
  } catch (error) {
    tell({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
});

function opened(): GpuGuide {
  if (!guide) throw new Error("the Guide on the GPU is not open");
  return guide;
}
