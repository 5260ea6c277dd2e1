/**
 * Answers what the agent `ppo` asks. Each question holds the whole of an episode, so the desk may begin in the middle of
 * one; where a question goes on from the one before, only the new step is computed.
 */

import { readAll } from "../engine/read-all";
import { SIDE, type Backend, type Choice, type DecisionMap } from "./backend";
import { openGpu } from "./gpu";
import { asError, Guide, type Report } from "./guide";
import { Opening } from "./opening";
import { Queue } from "./queue";

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

export interface DeskOptions {
  /** The folder with weights/, gpu-worker.js and gpu/, ending in a slash. */
  base: string;
  choice: Choice;
  /** The library's own network. */
  cpu(encoder: Uint8Array, head: Uint8Array): Promise<Backend>;
  /** It is decided who computes, or decided anew. */
  onReport?(report: Report): void;
  /** Bytes of the weights that have come, and how many there are if that is known. */
  onBytes?(done: number, total: number | null): void;
}

export class Desk {
  readonly #options: DeskOptions;
  #closed = false;
  #weights: string | null = null;
  readonly #opening = new Opening<Guide>();
  /** The board of the episode that the Guide is in. */
  #tiles = "";
  #path: number[] = [];
  readonly #queue = new Queue();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Who computes; null before it is open. */
  get report(): Report | null {
    return this.#opening.value?.report ?? null;
  }

  /** Fetches a Guide's weights and makes it ready. Fails with the reason. */
  async ready(weights: string): Promise<void> {
    await this.#open(weights);
  }

  answer(question: GuideQuestion): Promise<GuideReply> {
    return this.#queue.add(async () => {
      const guide = await this.#open(question.guide);
      const steps = await this.#catchUp(guide, question);
      // Until all steps are made the episode is nobody's: whoever asks next begins it anew.
      const board = this.#tiles;
      this.#tiles = "";
      let decision;
      let start = 0;
      for (const tile of steps) {
        start = performance.now();
        decision = await guide.step(tile % SIDE, Math.floor(tile / SIDE));
      }
      if (!decision) throw new Error("the path has no step");
      const millis = rounded(performance.now() - start);
      [this.#tiles, this.#path] = [board, question.path];
      const { backend, asked, cpuMillis, gpuMillis, reason } = guide.report;
      const chosen = { asked, cpu_millis: rounded(cpuMillis), gpu_millis: gpuMillis === null ? null : rounded(gpuMillis), reason };
      return { logits: [...decision.logits], value: decision.value, backend, millis, chosen };
    });
  }

  /** What would be said if an episode began with the gripper on each tile of a board; the tiles as in `Backend.begin`. */
  map(tiles: Uint8Array): Promise<DecisionMap> {
    return this.#queue.add(async () => {
      if (this.#weights === null) throw new Error("no Guide is open");
      const guide = await this.#open(this.#weights);
      if (this.#tiles !== String(tiles)) {
        this.#tiles = "";
        await guide.begin(tiles);
      }
      return guide.map();
    });
  }

  close(): void {
    this.#closed = true;
    this.#opening.drop();
  }

  /** The steps that are still to be taken; begins the episode anew if it is not the one before, a step further. */
  async #catchUp(guide: Guide, { tiles, path }: GuideQuestion): Promise<number[]> {
    const board = new Uint8Array(SIDE * SIDE);
    for (const [tile, kind] of tiles) board[tile] = kind;
    const done = this.#path.length;
    const goesOn = String(board) === this.#tiles && path.length > done && this.#path.every((tile, step) => tile === path[step]);
    if (goesOn) return path.slice(done);
    this.#tiles = "";
    await guide.begin(board);
    [this.#tiles, this.#path] = [String(board), []];
    return path;
  }

  /** What went wrong once is tried again: a connection may be back. */
  #open(weights: string): Promise<Guide> {
    if (this.#closed) return Promise.reject(new Error("the Guide was closed"));
    if (weights === this.#weights && this.#opening.promise) return this.#opening.promise;
    this.#opening.drop();
    [this.#weights, this.#tiles, this.#path] = [weights, "", []];
    return this.#opening.start(this.#load(weights));
  }

  async #load(weights: string): Promise<Guide> {
    const { base, choice, cpu, onReport, onBytes } = this.#options;
    const files = ["encoder", weights];
    const came: Came[] = files.map(() => ({ done: 0, total: null }));
    const fetching = files.map((file, at) =>
      fetchWeights(base, file, (done, total) => {
        came[at] = { done, total };
        onBytes?.(...inAll(came));
      }),
    );
    const [encoder, head] = (await Promise.all(fetching)) as [Uint8Array, Uint8Array];
    return Guide.open({
      choice,
      cpu: () => cpu(encoder, head),
      gpu: () => openGpu({ base, encoder, head }),
      ...(onReport && { onReport }),
    });
  }
}

/** Weights that were fetched or are being fetched, by address: another backend needs them again. */
const kept = new Map<string, Promise<Uint8Array>>();
/** How long a server may be silent before it is given up, in milliseconds. */
const SILENCE = 15_000;

/** How much of a file has come, and of how much if that is known. */
interface Came {
  done: number;
  total: number | null;
}

function inAll(files: Came[]): [done: number, total: number | null] {
  const sum = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const totals = files.flatMap(({ total }) => total ?? []);
  return [sum(files.map(({ done }) => done)), totals.length < files.length ? null : sum(totals)];
}

function fetchWeights(base: string, name: string, came: (done: number, total: number | null) => void): Promise<Uint8Array> {
  const url = new URL(`weights/${name}.safetensors`, base).href;
  const before = kept.get(url);
  if (before) return before;
  const fetching = fetchBytes(url, came).catch((error: unknown) => {
    kept.delete(url);
    throw new Error(`${url}: ${asError(error).message}`);
  });
  kept.set(url, fetching);
  return fetching;
}

async function fetchBytes(url: string, came: (done: number, total: number | null) => void): Promise<Uint8Array> {
  const giveUp = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp.abort(new Error(`nothing came for ${SILENCE / 1000} s`)), SILENCE);
  };
  try {
    heard();
    const response = await fetch(url, { signal: giveUp.signal });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
    if (/html/i.test(response.headers.get("content-type") ?? "")) throw new Error("a web page came in its place");
    return await readAll(response, (done, total) => {
      heard();
      came(done, total);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** To hundredths. */
function rounded(millis: number): number {
  return Math.round(millis * 100) / 100;
}
