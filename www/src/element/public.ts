/** What a page that embeds the element may rely on. */

import type { Texts } from "../texts/en";
import type { Failure, Seat, Told, WorldInfo } from "../engine/types";
import type * as Cogrip from "../cogrip/types";
import type * as Gnomes from "../gnomes/types";

/** What a person may know, in whichever world; `world` says which. */
export type View = Gnomes.View | Cogrip.View;
/** What a person may do. */
export type Action = Gnomes.Action | Cogrip.Action;
export type Outcome = Gnomes.Outcome | Cogrip.Outcome;

/** The details of the element's events. All bubble and cross shadow roots. */
export interface TandemEventDetails {
  /** The library is loaded: its version, its worlds with their boards and partners. */
  ready: { version: string; worlds: WorldInfo[] };
  /** The table changed. `view` is the person's; in watch mode seat 0's, and `views` has both. */
  view: { view: View; views: (View | null)[]; news: Told[]; turn: Seat | null; now: number };
  /** Somebody said something. */
  message: { seat: Seat; text: string };
  /** The game is over. */
  over: { outcome: Outcome; digest: string; trace: string };
  /** A line of the trace. `kept` lines are those of a game taken up again from the journal. */
  trace: { n: number; line: string; entry: Record<string, unknown>; kept: boolean };
  /**
   * Saving at the data sink went on or changed its state. `acknowledged` of `rows` rows have arrived, under the name
   * `session`. `state` is `saved`, `sending`, `offline`, `trouble` (tried again) or `refused`; `message` is the sink's.
   */
  saved: { session: string; rows: number; acknowledged: number; state: string; message: string | null };
  /** Something went wrong; the element shows it as well. */
  failure: Failure;
}

export type TandemEventMap = { [K in keyof TandemEventDetails]: CustomEvent<TandemEventDetails[K]> };

/** `<tandem-game>`: a game with its partner. Attributes are listed in docs/embedding.md. */
export interface TandemGameElement extends HTMLElement {
  /** A level text or a JSON layout, in place of the attribute `board`. */
  boardSource: string | object | null;
  /** Words in place of the English ones; any part of the table. */
  texts: Partial<Texts>;
  /** Whatever should stand in the trace's first line: participant, condition. */
  hostData: unknown;
  /** What the person may know now; null before the game has begun. */
  readonly view: View | null;
  /** Acts for the person. Rejects with a failure if the rules do not allow it. */
  act(action: Action): Promise<void>;
  /** Talks for the person. */
  say(text: string): Promise<void>;
  /** The trace so far, one JSON object a line. */
  trace(): string;
  /** Stops the clock: the partner does nothing. */
  pause(): Promise<void>;
  /** Lets the clock run again. */
  go(): Promise<void>;
  /** Does the next thing that is due, also while paused. */
  step(): Promise<void>;
  /** How fast the clock runs: 1 as set, 4 four times faster. */
  setSpeed(speed: number): Promise<void>;
  /** Gives the trace to the person as a file. */
  download(): void;
  addEventListener<K extends keyof TandemEventMap>(
    type: K,
    listener: (this: TandemGameElement, event: TandemEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tandem-game": TandemGameElement;
  }
}
