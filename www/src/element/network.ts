/**
 * The networks that agents ask. What computes them is a file of its own, fetched when the first is wanted: most games
 * need none. On the CPU the library computes, in its worker.
 */

import type { Engine } from "../engine/client";
import type { NetworkAnswer } from "../engine/types";
import type { Backend, BoardMap, Choice, Desk, GuideQuestion, Report } from "../guide";

/** Intents a network tells apart. */
const INTENTS = 14;
const SIDE = 21;

export interface NetworkOptions {
  /** The folder with guide.js and weights/, ending in a slash. */
  base: string;
  choice: Choice;
  engine: Engine;
  /** Something may have to be shown anew. */
  changed(): void;
}

export class Network {
  readonly #options: NetworkOptions;
  #choice: Choice;
  #desk: Promise<Desk> | null = null;
  #open: Desk | null = null;
  /** What was last reported by a desk that is closed. */
  #before: Report | null = null;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#choice = options.choice;
  }

  /** Who computes; null where no network was wanted so far. */
  get report(): Report | null {
    return this.#open?.report ?? this.#before;
  }

  /** Makes ready the network with these weights. Fails with the reason. */
  async ready(weights: string): Promise<void> {
    await (await this.#load()).ready(weights);
    this.#options.changed();
  }

  /** Never fails: an agent that gets no answer has another way. */
  async answer(question: unknown): Promise<NetworkAnswer> {
    const choice = this.#choice;
    try {
      return { reply: await (await this.#load()).answer(question as GuideQuestion) };
    } catch (error) {
      // Another backend was chosen meanwhile.
      if (choice !== this.#choice) return this.answer(question);
      return { failed: { broken: error instanceof Error ? error.message : String(error) } };
    }
  }

  /** What the network would say elsewhere on the board; null before it was asked anything. */
  async map(): Promise<BoardMap | null> {
    return (await this.#desk)?.map() ?? null;
  }

  /** Another backend, from the next question on. */
  choose(choice: Choice): void {
    this.#before = this.report && { ...this.report, asked: choice };
    this.#choice = choice;
    this.close();
  }

  close(): void {
    void this.#desk?.then((desk) => desk.close()).catch(() => undefined);
    this.#desk = this.#open = null;
  }

  /** A file that did not come is asked for again. */
  #load(): Promise<Desk> {
    const desk = (this.#desk ??= this.#make());
    desk
      .then((open) => {
        if (this.#desk === desk) this.#open = open;
      })
      .catch(() => {
        if (this.#desk === desk) this.#desk = null;
      });
    return desk;
  }

  async #make(): Promise<Desk> {
    const { base, engine, changed } = this.#options;
    const url = new URL("guide.js", base).href;
    const { Desk } = (await import(/* @vite-ignore */ url)) as typeof import("../guide");
    return new Desk({
      base,
      choice: this.#choice,
      cpu: async (encoder, head) => inLibrary(engine, await engine.openGuide(encoder, head)),
      onReport: changed,
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
