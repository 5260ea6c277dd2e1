/**
 * The neural Guide, on the CPU or on the GPU, so that nobody needs to know which.
 *
 * The CPU always serves. The GPU is a better part: whatever it fails at, be it a promise refused, a trap, or silence, its
 * instance is dropped, the episode's path is walked again on the CPU, and the step that failed is answered from there.
 */

import { SIDE, type Backend, type Decision, type DecisionMap } from "./backend";

export type Choice = "auto" | "cpu" | "gpu";

/** How it came to who computes. */
export interface Report {
  /** What was asked for. */
  asked: Choice;
  /** Who computes now. */
  backend: "cpu" | "gpu";
  /** Milliseconds of a warm step: the median of a few, or null where it was not measured. */
  cpuMillis: number | null;
  gpuMillis: number | null;
  /** Why the GPU does not compute though it was asked for; null if it does or was not asked for. */
  reason: string | null;
}

export interface GuideOptions {
  choice: Choice;
  /** Opens the Guide on the CPU. */
  cpu(): Promise<Backend>;
  /** Opens it on the GPU; never called if the CPU was chosen. It must fail in time where there is none. */
  gpu(): Promise<Backend>;
  /** The GPU was given up in the middle of something, and the CPU goes on. */
  onFallback?(report: Report): void;
  /** The time in milliseconds. */
  now?(): number;
}

/** Untimed steps before those that are timed. */
const WARM = 2;
/** Timed steps of the race. */
const TIMED = 5;

export class Guide {
  readonly #options: GuideOptions;
  readonly #cpu: Backend;
  #gpu: Backend | null = null;
  #report: Report;
  /** The episode so far, to be walked again. */
  #tiles: Uint8Array | null = null;
  #path: [x: number, y: number][] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** Opens what was chosen; with `auto` both are raced and the slower is closed. Fails only if the CPU does. */
  static async open(options: GuideOptions): Promise<Guide> {
    const wanted = options.choice === "cpu" ? null : options.gpu().catch((error: unknown) => asError(error));
    let cpu: Backend;
    try {
      cpu = await options.cpu();
    } catch (error) {
      void wanted?.then((gpu) => gpu instanceof Error || gpu.close());
      throw error;
    }
    const guide = new Guide(options, cpu);
    const gpu = await wanted;
    if (gpu instanceof Error) guide.#report.reason = gpu.message;
    else if (gpu) await guide.#welcome(gpu);
    return guide;
  }

  private constructor(options: GuideOptions, cpu: Backend) {
    this.#options = options;
    this.#cpu = cpu;
    this.#report = { asked: options.choice, backend: "cpu", cpuMillis: null, gpuMillis: null, reason: null };
  }

  /** Who computes, and how it came to that. */
  get report(): Report {
    return { ...this.#report };
  }

  /** A new episode; for the tiles see `Backend.begin`. */
  begin(tiles: Uint8Array): Promise<void> {
    return this.#inOrder(async () => {
      this.#tiles = tiles;
      this.#path = [];
      await this.#withFallback((backend) => backend.begin(tiles));
    });
  }

  /** A step of the episode. */
  step(x: number, y: number): Promise<Decision> {
    return this.#inOrder(async () => {
      const decision = await this.#withFallback((backend) => backend.step(x, y));
      this.#path.push([x, y]);
      return decision;
    });
  }

  /** What would be said if an episode began with the gripper on each tile of this board. */
  map(): Promise<DecisionMap> {
    return this.#inOrder(() => this.#withFallback((backend) => backend.map()));
  }

  close(): void {
    this.#gpu?.close();
    this.#gpu = null;
    this.#cpu.close();
  }

  /** Takes the GPU, unless it fails or, with `auto`, is the slower one. */
  async #welcome(gpu: Backend): Promise<void> {
    try {
      this.#report.gpuMillis = await this.#time(gpu);
    } catch (error) {
      gpu.close();
      this.#report.reason = asError(error).message;
      return;
    }
    this.#report.cpuMillis = await this.#time(this.#cpu);
    if (this.#options.choice === "auto" && this.#report.cpuMillis <= this.#report.gpuMillis) {
      gpu.close();
      this.#report.reason = "the CPU is faster";
      return;
    }
    this.#gpu = gpu;
    this.#report.backend = "gpu";
  }

  /** The median of a few warm steps, each to a tile that was not seen. */
  async #time(backend: Backend): Promise<number> {
    const now = this.#options.now ?? (() => performance.now());
    const times: number[] = [];
    await backend.begin(new Uint8Array(SIDE * SIDE));
    for (let step = 0; step < WARM + TIMED; step += 1) {
      const start = now();
      await backend.step(step, step);
      if (step >= WARM) times.push(now() - start);
    }
    return times.sort((one, other) => one - other)[TIMED >> 1]!;
  }

  async #withFallback<T>(work: (backend: Backend) => Promise<T>): Promise<T> {
    if (!this.#gpu) return work(this.#cpu);
    try {
      return await work(this.#gpu);
    } catch (error) {
      // Closed meanwhile: there is nobody to go on for.
      if (!this.#gpu) throw error;
      this.#gpu.close();
      this.#gpu = null;
      this.#report = { ...this.#report, backend: "cpu", reason: asError(error).message };
      this.#options.onFallback?.(this.report);
    }
    if (this.#tiles) await this.#cpu.begin(this.#tiles);
    for (const [x, y] of this.#path) await this.#cpu.step(x, y);
    return work(this.#cpu);
  }

  /** Calls are answered one by one: each stands on those before. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
