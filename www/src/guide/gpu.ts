/** The Guide on the user's GPU: this side of its worker. */

import { startWorker, type StartedWorker } from "../engine/start-worker";
import { within, type Backend, type Decision, type DecisionMap } from "./backend";
import type { GpuCall, GpuCalls, GpuReply, GpuRequest } from "./gpu-protocol";

export interface GpuOptions {
  /** The folder with gpu-worker.js and gpu/, ending in a slash. */
  base: string;
  /** Weights files. */
  encoder: Uint8Array;
  head: Uint8Array;
  /** How long the browser may look for an adapter, in milliseconds. */
  probeMillis?: number;
  /** How long the file may take to come, and its shaders to be made. */
  openMillis?: number;
  /** How long a step may take, and the beginning of an episode. */
  stepMillis?: number;
  /** How long a map may take. */
  mapMillis?: number;
}

/** As much of WebGPU as is asked here. */
interface Gpu {
  requestAdapter(): Promise<object | null>;
}

/** Whether there is a GPU to be had: fails with the reason if not. Nothing is fetched for this. */
export async function probeGpu(millis = 2000): Promise<void> {
  const { gpu } = navigator as { gpu?: Gpu };
  if (!gpu) throw new Error("this browser has no WebGPU");
  if (!(await within(gpu.requestAdapter(), millis, "looking for a GPU"))) throw new Error("there is no GPU to be had");
}

/** Looks for a GPU, fetches the Guide's file for it, and makes it ready. */
export async function openGpu(options: GpuOptions): Promise<Backend> {
  await probeGpu(options.probeMillis);
  const { base, encoder, head, openMillis = 30_000 } = options;
  const guide = new GpuBackend(options);
  try {
    await guide.call("open", { base, encoder, head }, openMillis);
    return guide;
  } catch (error) {
    guide.close();
    throw error;
  }
}

class GpuBackend implements Backend {
  readonly #started: StartedWorker;
  readonly #waiting = new Map<number, { gives(value: unknown): void; fails(error: Error): void }>();
  readonly #stepMillis: number;
  readonly #mapMillis: number;
  #next = 0;
  #gone: Error | null = null;

  constructor({ base, stepMillis = 2000, mapMillis = 20_000 }: GpuOptions) {
    this.#stepMillis = stepMillis;
    this.#mapMillis = mapMillis;
    this.#started = startWorker(new URL("gpu-worker.js", base).href, "tandem-guide-gpu");
    const { worker } = this.#started;
    worker.addEventListener("message", ({ data }: MessageEvent<GpuReply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.fails(new Error(data.error));
      else waiting?.gives(data.value);
    });
    // A trap, or a worker that did not load.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new Error(event.message || "the worker of the Guide on the GPU did not start"));
    });
  }

  async begin(tiles: Uint8Array): Promise<void> {
    await this.call("begin", { tiles }, this.#stepMillis);
  }

  step(x: number, y: number): Promise<Decision> {
    return this.call("step", { x, y }, this.#stepMillis);
  }

  map(): Promise<DecisionMap> {
    return this.call("map", {}, this.#mapMillis);
  }

  close(): void {
    this.#end(new Error("the Guide on the GPU was closed"));
  }

  call<C extends GpuCall>(call: C, args: GpuCalls[C]["args"], millis: number): Promise<GpuCalls[C]["gives"]> {
    const answer = new Promise<GpuCalls[C]["gives"]>((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      const id = this.#next++;
      this.#waiting.set(id, { gives: (value) => resolve(value as GpuCalls[C]["gives"]), fails: reject });
      this.#started.worker.postMessage({ id, call, args } as GpuRequest);
    });
    return within(answer, millis, `the GPU's ${call}`);
  }

  #end(error: Error): void {
    if (this.#gone) return;
    this.#gone = error;
    this.#started.end();
    for (const waiting of this.#waiting.values()) waiting.fails(error);
    this.#waiting.clear();
  }
}
