/**
 * What the element asks of a world: how its attributes are read, and what lies on the table. The element knows loading,
 * journal, bar and trace; a scene knows one game. Scenes hold no state.
 */

import type { TemplateResult } from "lit";
import type { AnyNews, AnyView, SeatSetup, Thought, Told, WorldInfo } from "../engine/types";
import type { Choice, DecisionMap, Report } from "../guide";
import type { Texts } from "../texts/en";

/** The element's attributes, as a scene reads its own. */
export interface Reading {
  get(attribute: string): string | null;
  /** One of the valid values; anything else is noted as a problem. */
  choice<T extends string>(attribute: string, valid: readonly T[], otherwise: T): T;
  /** A whole number from 0 to `largest`; undefined if it is missing or wrong. */
  number(attribute: string, largest: number, what: string): number | undefined;
  /** A board that the page gave by property. */
  board: string | object | null;
}

/** Which game the attributes name. */
export interface Cast {
  config: object;
  seats: SeatSetup[];
  /** Nobody plays: two agents are watched. */
  watch: boolean;
  /** Milliseconds an agent waits before each thought, where the page names none; missing: the library's own. */
  pace?: number;
}

/** An attribute that is not as it should be. */
export interface Problem {
  attribute: string;
  value: string;
  problem: string;
  valid: string;
}

/** A game as it stands, for drawing. */
export interface Standing {
  /** The person's view; seat 0's where two agents are watched. */
  view: AnyView;
  /** By seat; null where the page may not look. */
  views: (AnyView | null)[];
  news: Told<AnyNews>[];
  /** Milliseconds of the session when the views came. */
  now: number;
  /** The seat whose agent thinks. */
  thinking: number | null;
  /** Nothing can be done: the clock stands or the game is over. */
  locked: boolean;
  /** The whole state, once it may be shown. */
  reveal: object | null;
  thoughts: Thought[];
  texts: Texts;
  /** Two agents are watched. */
  watch: boolean;
}

/** What a person can do at the table. */
export interface Deeds {
  act(action: unknown): void;
  say(text: string): void;
  again(): void;
  /** Where the game can be looked through; null if the page has no such place. */
  replayHref: string | null;
}

/** The network that an agent asks: how it is computed, and what can be done with it. */
export interface NetworkDeeds {
  report: Report;
  /** The backend that is being made ready beside the one that computes. */
  preparing: Choice | null;
  /** What it would say elsewhere on a board; the tiles as in `Backend.begin`. */
  map(tiles: Uint8Array): Promise<DecisionMap>;
  choose(backend: Choice): void;
}

/** One world's part of the element. */
export interface Scene {
  /** As in the attribute `world`. */
  readonly world: string;
  /** What the attribute `role` may be, in a world that has roles. */
  readonly roles?: readonly string[];
  /** The agents that may ask a language model. */
  readonly asking?: readonly string[];
  /** Reads the attributes that say which game. */
  cast(reading: Reading): Cast;
  /** The network that one of these agents will ask: the name of its weights; null if none will. */
  weights?(seats: SeatSetup[]): string | null;
  /** Which attribute names the agent at this seat. */
  attributeOf(seat: number): string;
  /** What of the boards and names only the library can tell. */
  check(cast: { config: object }, info: WorldInfo): Problem[];
  /** A person's place at the table. Its outermost element may have `focusBoard()`. */
  table(standing: Standing, deeds: Deeds): TemplateResult;
  /** Both sides, for watching and replaying. */
  sides(standing: Standing): TemplateResult;
  /** How far it has come, in a few words, under the controls of a watched game. */
  progress(view: AnyView, texts: Texts): string;
  /** After the game. */
  end(standing: Standing, deeds: Deeds): TemplateResult;
  /** Cards of an agent's explanation, and which of its fields they show. */
  cards(thought: Thought, view: AnyView | null, texts: Texts): { cards: unknown; shown: string[] };
  /** What stands beside an agent's explanation, about the network that it asks. */
  network?(standing: Standing, network: NetworkDeeds): TemplateResult;
  /** Round and turn, for the journal's offer to go on. */
  stands(view: AnyView): { round: number; turns: number };
  /** What a step of a replay did, in words. */
  describe(event: { event: string; [more: string]: unknown } | null, news: AnyNews[], views: AnyView[]): string;
  /** Who sits where, for the talk in a replay and in a watched game. */
  seatName(seat: number, texts: Texts): string;
}
