/**
 * The neural Guide, on the CPU or on the GPU, so that nobody needs to know which.
 *
 * The CPU always serves, and from the first step. The GPU may join in the middle of an episode: it walks the path so far
 * and takes over. Whatever it fails at later, be it a promise refused, a trap, or silence, its instance is dropped, the
 * path is walked again on the CPU, and the step that failed is answered from there.
 */

import { SIDE, type Backend, type Choice, type Decision, type DecisionMap } from "./backend";
import { Queue } from "./queue";

/** How it came to who computes. */
export interface Report {
  /** What was asked for. */
  asked: Choice;
  /** Who computes now. */
  backend: "cpu" | "gpu";
  /** Milliseconds of a warm step, the median of a few: at the opening, and again in a race. */
  cpuMillis: number;
  /** The same; null where there was no race. */
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
  /** It is decided who computes, or decided anew. */
  onReport?(report: Report): void;
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
  readonly #queue = new Queue();
  #closed = false;

  /** Whether the GPU computes is decided. Until then the CPU does. */
  settled: Promise<void> = Promise.resolve();

  /**
   * Opens what was chosen. With `auto` the CPU serves at once, and when the GPU is ready both are raced and the slower is
   * closed. Who chose the GPU waits for it. Fails only if the CPU does.
   */
  static async open(options: GuideOptions): Promise<Guide> {
    const wanted = options.choice === "cpu" ? null : options.gpu().catch((error: unknown) => asError(error));
    let guide: Guide | null = null;
    try {
      guide = new Guide(options, await options.cpu());
      guide.#report.cpuMillis = await guide.#time(guide.#cpu);
    } catch (error) {
      guide?.close();
      void wanted?.then((gpu) => gpu instanceof Error || gpu.close());
      throw error;
    }
    if (wanted) guide.settled = guide.#meet(wanted);
    if (options.choice === "gpu") await guide.settled;
    return guide;
  }

  private constructor(options: GuideOptions, cpu: Backend) {
    this.#options = options;
    this.#cpu = cpu;
    this.#report = { asked: options.choice, backend: "cpu", cpuMillis: 0, gpuMillis: null, reason: null };
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

  /** Whatever is under way on the CPU ends before that is closed; what is still waiting is refused. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gpu?.close();
    this.#gpu = null;
    void this.#queue.add(() => this.#cpu.close());
  }

  /** Takes the GPU in when it comes. */
  async #meet(wanted: Promise<Backend | Error>): Promise<void> {
    const gpu = await wanted;
    if (gpu instanceof Error) this.#report.reason = gpu.message;
    // If even the CPU fails, the next step will say so.
    else await this.#inOrder(() => this.#welcome(gpu)).catch(() => gpu.close());
    if (this.#closed) return;
    this.#options.onReport?.(this.report);
  }

  /** Takes the GPU, unless it fails or, with `auto`, is the slower one. */
  async #welcome(gpu: Backend): Promise<void> {
    try {
      const gpuMillis = (this.#report.gpuMillis = await this.#time(gpu));
      const cpuMillis = (this.#report.cpuMillis = await this.#time(this.#cpu));
      if (this.#options.choice === "auto" && cpuMillis <= gpuMillis) throw new Error("the CPU is faster");
      await this.#walk(gpu);
      this.#alive();
      this.#gpu = gpu;
      this.#report.backend = "gpu";
    } catch (error) {
      gpu.close();
      this.#report.reason = asError(error).message;
      if (!this.#closed) await this.#walk(this.#cpu);
    }
  }

  /** Brings a backend to where the episode is. */
  async #walk(backend: Backend): Promise<void> {
    if (this.#tiles) await backend.begin(this.#tiles);
    for (const [x, y] of this.#path) await backend.step(x, y);
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
      this.#options.onReport?.(this.report);
    }
    await this.#walk(this.#cpu);
    return work(this.#cpu);
  }

  #alive(): void {
    if (this.#closed) throw new Error("the Guide was closed");
  }

  /** Calls are answered one by one: each stands on those before. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.add(() => {
      this.#alive();
      return work();
    });
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
