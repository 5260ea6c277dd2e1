/**
 * Answers what the agent `ppo` asks. Each question holds the whole of an episode, so the desk may begin in the middle of
 * one; where a question goes on from the one before, only the new step is computed.
 */

import { SIDE, type Backend, type DecisionMap } from "./backend";
import { openGpu } from "./gpu";
import { Guide, type Choice, type Report } from "./guide";

/** What the agent asks. */
export interface GuideQuestion {
  /** Whose weights: the name of a file. */
  guide: string;
  /** The board's tiles with something on them: number and kind. */
  tiles: [tile: number, kind: number][];
  /** The gripper's tiles in this episode. */
  path: number[];
}

/** What the network says, as the agent reads it. */
export interface GuideReply {
  logits: number[];
  value: number;
  backend: "cpu" | "gpu";
  millis: number;
  /** How it came to who computes. */
  chosen: { asked: Choice; cpu_millis: number; gpu_millis: number | null; reason: string | null };
}

/** The board that was last asked about, and what the Guide would open with on each of its tiles. */
export interface BoardMap extends DecisionMap {
  tiles: Uint8Array;
}

export interface DeskOptions {
  /** The folder with weights/, gpu-worker.js and gpu/, ending in a slash. */
  base: string;
  choice: Choice;
  /** The library's own network. */
  cpu(encoder: Uint8Array, head: Uint8Array): Promise<Backend>;
  /** It is decided who computes, or decided anew. */
  onReport?(report: Report): void;
}

export class Desk {
  readonly #options: DeskOptions;
  #weights: string | null = null;
  #opening: Promise<Guide> | null = null;
  #guide: Guide | null = null;
  #tiles = "";
  #board: Uint8Array | null = null;
  #path: number[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Who computes; null before it is open. */
  get report(): Report | null {
    return this.#guide?.report ?? null;
  }

  /** Fetches a Guide's weights and makes it ready. Fails with the reason. */
  async ready(weights: string): Promise<void> {
    await this.#open(weights);
  }

  answer(question: GuideQuestion): Promise<GuideReply> {
    return this.#inOrder(async () => {
      const guide = await this.#open(question.guide);
      const steps = await this.#catchUp(guide, question);
      const start = performance.now();
      let decision;
      for (const tile of steps) decision = await guide.step(tile % SIDE, Math.floor(tile / SIDE));
      if (!decision) throw new Error("the path has no step");
      const millis = rounded(performance.now() - start);
      this.#path = question.path;
      const { backend, asked, cpuMillis, gpuMillis, reason } = guide.report;
      const chosen = { asked, cpu_millis: rounded(cpuMillis), gpu_millis: gpuMillis === null ? null : rounded(gpuMillis), reason };
      return { logits: [...decision.logits], value: decision.value, backend, millis, chosen };
    });
  }

  /** Null before the first question. */
  map(): Promise<BoardMap | null> {
    return this.#inOrder(async () => {
      if (!this.#guide || !this.#board) return null;
      return { tiles: this.#board, ...(await this.#guide.map()) };
    });
  }

  close(): void {
    void this.#opening?.then((guide) => guide.close()).catch(() => undefined);
    this.#opening = this.#guide = null;
  }

  /** The steps that are still to be taken; begins the episode anew if it is not the one before, a step further. */
  async #catchUp(guide: Guide, { tiles, path }: GuideQuestion): Promise<number[]> {
    const board = JSON.stringify(tiles);
    const done = this.#path.length;
    if (board === this.#tiles && path.length > done && this.#path.every((tile, step) => tile === path[step])) return path.slice(done);
    this.#board = new Uint8Array(SIDE * SIDE);
    for (const [tile, kind] of tiles) this.#board[tile] = kind;
    [this.#tiles, this.#path] = [board, []];
    await guide.begin(this.#board);
    return path;
  }

  /** What went wrong once is tried again: a connection may be back. */
  #open(weights: string): Promise<Guide> {
    if (weights === this.#weights && this.#opening) return this.#opening;
    this.close();
    [this.#weights, this.#tiles, this.#path] = [weights, "", []];
    const opening = this.#load(weights);
    this.#opening = opening;
    opening
      .then((guide) => {
        if (this.#opening === opening) this.#guide = guide;
      })
      .catch(() => {
        if (this.#opening === opening) this.#opening = null;
      });
    return opening;
  }

  async #load(weights: string): Promise<Guide> {
    const { base, choice, cpu, onReport } = this.#options;
    const [encoder, head] = await Promise.all([fetchWeights(base, "encoder"), fetchWeights(base, weights)]);
    return Guide.open({
      choice,
      cpu: () => cpu(encoder, head),
      gpu: () => openGpu({ base, encoder, head }),
      ...(onReport && { onReport }),
    });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

async function fetchWeights(base: string, name: string): Promise<Uint8Array> {
  const url = new URL(`weights/${name}.safetensors`, base).href;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`.trim());
  return new Uint8Array(await response.arrayBuffer());
}

/** To hundredths. */
function rounded(millis: number): number {
  return Math.round(millis * 100) / 100;
}
