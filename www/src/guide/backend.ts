/** What computes the neural Guide of the reference game, wherever it does. */

/** A logit for each of the fourteen intents, and the reward that is expected. */
export interface Decision {
  logits: Float32Array;
  value: number;
}

/** The same for each of the 441 tiles, row by row: fourteen logits a tile, and a value a tile. */
export interface DecisionMap {
  logits: Float32Array;
  values: Float32Array;
}

export interface Backend {
  /**
   * A new episode on a board of 441 tiles, row by row: four times the number of the piece's colour, counted from 1 (0 for
   * an empty tile), and 1 more for the target's.
   */
  begin(tiles: Uint8Array): Promise<void>;
  /** A step of it, with the gripper at column `x` and row `y`. */
  step(x: number, y: number): Promise<Decision>;
  /** What would be said if an episode began with the gripper on each tile of this board. */
  map(): Promise<DecisionMap>;
  /** Ends it. Whatever is still waiting is refused. */
  close(): void;
}

/** What may be chosen to compute it: `auto` is the faster of both. */
export const CHOICES = ["auto", "cpu", "gpu"] as const;
export type Choice = (typeof CHOICES)[number];

/** Tiles along each side of the boards that the network knows. */
export const SIDE = 21;
/** Intents that it tells apart. */
export const INTENTS = 14;

/** Gives what `work` gives, or fails after so many milliseconds. */
export async function within<T>(work: Promise<T>, millis: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} took longer than ${millis} ms`)), millis);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
