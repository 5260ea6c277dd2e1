/**
 * The networks that agents ask. What computes them is a file of its own, fetched when the first is wanted: most games
 * need none. On the CPU the library computes, in its worker.
 */

import { failureOf, type Engine } from "../engine/client";
import type { NetworkAnswer } from "../engine/types";
import type { Backend, Choice, DecisionMap, Desk, GuideQuestion, Report } from "../guide";
import { INTENTS, SIDE } from "../guide/backend";
import { Opening } from "../guide/opening";

export interface NetworkOptions {
  /** The folder with guide.js and weights/, ending in a slash. */
  base: string;
  choice: Choice;
  engine: Engine;
  /** Something may have to be shown anew. */
  changed(): void;
  /** Bytes of a network's weights that have come, and how many there are if that is known. */
  onBytes(done: number, total: number | null): void;
}

export class Network {
  readonly #options: NetworkOptions;
  #choice: Choice;
  readonly #desk = new Opening<Desk>();
  #closed = false;
  /** The backend that is being made ready beside the one that computes. */
  preparing: Choice | null = null;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#choice = options.choice;
  }

  /** Who computes; null where no network was wanted so far. */
  get report(): Report | null {
    return this.#desk.value?.report ?? null;
  }

  /** Makes ready the network with these weights. Fails with the reason. */
  async ready(weights: string): Promise<void> {
    await (await this.#load()).ready(weights);
    this.#options.changed();
  }

  /** Never fails: an agent that gets no answer has another way. */
  async answer(question: unknown): Promise<NetworkAnswer> {
    const desk = this.#load();
    try {
      return { reply: await (await desk).answer(question as GuideQuestion) };
    } catch (error) {
      // Another one took its place meanwhile.
      if (this.#desk.promise !== desk && this.#desk.promise !== null) return this.answer(question);
      return { failed: { broken: failureOf(error).message } };
    }
  }

  /** What the network would say elsewhere on a board. Fails before it was made ready. */
  async map(tiles: Uint8Array): Promise<DecisionMap> {
    if (!this.#desk.promise) throw new Error("no network is open");
    return (await this.#desk.promise).map(tiles);
  }

  /** Makes another backend ready while the one before goes on, then puts it in its place. */
  async choose(choice: Choice, weights: string): Promise<void> {
    this.#choice = this.preparing = choice;
    this.#options.changed();
    const making = this.#make(choice);
    try {
      const fresh = await making;
      await fresh.ready(weights);
      if (this.#closed || this.#choice !== choice) return fresh.close();
      this.#desk.drop();
      await this.#desk.start(making);
    } catch (error) {
      void making.then((fresh) => fresh.close()).catch(() => undefined);
      throw error;
    } finally {
      if (this.#choice === choice) this.preparing = null;
      this.#options.changed();
    }
  }

  close(): void {
    this.#closed = true;
    this.#desk.drop();
  }

  /** A file that did not come is asked for again. */
  #load(): Promise<Desk> {
    if (this.#closed) return Promise.reject(new Error("the game was closed"));
    return this.#desk.promise ?? this.#desk.start(this.#make(this.#choice));
  }

  async #make(choice: Choice): Promise<Desk> {
    const { base, engine, changed, onBytes } = this.#options;
    const url = new URL("guide.js", base).href;
    const { Desk } = (await import(/* @vite-ignore */ url)) as typeof import("../guide");
    return new Desk({
      base,
      choice,
      cpu: async (encoder, head) => inLibrary(engine, await engine.openGuide(encoder, head)),
      onReport: changed,
      onBytes,
    });
  }
}

/** The library's own network. */
function inLibrary(engine: Engine, guide: number): Backend {
  return {
    begin: async (tiles) => void (await engine.beginGuide(guide, tiles)),
    async step(x, y) {
      const numbers = await engine.stepGuide(guide, x, y);
      return { logits: numbers.slice(0, INTENTS), value: numbers[INTENTS]! };
    },
    async map() {
      const [logits, values] = [new Float32Array(SIDE * SIDE * INTENTS), new Float32Array(SIDE * SIDE)];
      // Row by row, so that the game's own calls come in between.
      for (let tile = 0; tile < SIDE * SIDE; tile += SIDE) {
        const row = await engine.guideRow(guide, tile / SIDE);
        for (let x = 0; x < SIDE; x += 1) {
          logits.set(row.subarray(x * (INTENTS + 1), x * (INTENTS + 1) + INTENTS), (tile + x) * INTENTS);
          values[tile + x] = row[x * (INTENTS + 1) + INTENTS]!;
        }
      }
      return { logits, values };
    },
    close: () => void engine.closeGuide(guide).catch(() => undefined),
  };
}
