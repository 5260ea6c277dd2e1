/** The element's attributes: what they may be, and what a page wrote instead. */

import type { SeatSetup, Settings, WorldInfo } from "../engine/types";
import { CHOICES, type Choice } from "../guide/backend";
import type { SinkSettings } from "../saving/sink";
import type { Problem, Reading } from "./scene";
import { sceneOf, WORLDS } from "./scenes";

/** The element's attributes, checked. */
export interface Attributes {
  settings: Settings;
  watch: boolean;
  insight: "off" | "closed" | "open";
  theme: "auto" | "light" | "dark";
  /** What computes the networks that agents ask. */
  backend: Choice;
  /** Null: no journal. */
  journal: string | null;
  /** Null: nothing is sent anywhere. */
  sink: SinkSettings | null;
}

export type { Problem };

export const ATTRIBUTES = [
  "world", "board", "partner", "human", "seed", "pace", "first", "watch", "insight", "backend", "theme", "journal", "replay", "base",
  "save", "study", "participant", "condition",
  "role", "rounds", "guide", "trained-with", "follower", "phi", "language", "model", "token",
] as const;
export type AttributeName = (typeof ATTRIBUTES)[number];

/** Changing one of these begins another game; the others only change how this one is shown. */
export const GAME_ATTRIBUTES: readonly AttributeName[] = [
  "world", "board", "partner", "human", "seed", "pace", "first", "watch", "journal", "base",
  "save", "study", "participant", "condition",
  "role", "rounds", "guide", "trained-with", "follower", "phi", "language", "model", "token",
];

export const INSIGHT = ["off", "closed", "open"] as const;
export const THEME = ["auto", "light", "dark"] as const;

/** The model where none is named: what proxies call theirs. */
const DEFAULT_MODEL = "default";
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
const SLOWEST_PACE = 60_000;
/** What the data sink takes for a name. */
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const PLAIN_RULE = "1 to 64 letters a-z or A-Z, digits, dashes or underscores, beginning with a letter or digit";

/** Reads an element's attributes. `board` is what the page gave by property, if it did. */
export function readAttributes(
  get: (name: AttributeName) => string | null,
  board: string | object | null,
): { attributes: Attributes; problems: Problem[] } {
  const problems: Problem[] = [];

  const choice = <T extends string>(attribute: string, valid: readonly T[], otherwise: T): T => {
    const value = get(attribute as AttributeName);
    if (value === null || value === "") return otherwise;
    if ((valid as readonly string[]).includes(value)) return value as T;
    problems.push({ attribute, value, problem: "not among the choices", valid: valid.join(", ") });
    return otherwise;
  };
  const number = (attribute: string, largest: number, what: string): number | undefined => {
    const value = get(attribute as AttributeName);
    if (value === null || value.trim() === "") return undefined;
    const given = Number(value);
    if (/^\s*\d+\s*$/.test(value) && given <= largest) return given;
    problems.push({ attribute, value, problem: "not such a number", valid: `${what} from 0 to ${largest}` });
    return undefined;
  };

  const world = choice("world", WORLDS, "gnomes");
  const seed = number("seed", LARGEST_SEED, "a whole number");
  const pace = number("pace", SLOWEST_PACE, "milliseconds");
  const reading: Reading = { get: (attribute) => get(attribute as AttributeName), choice, number, board };
  const { config, seats, watch, pace: usual } = sceneOf(world).cast(reading);
  const settings: Settings = { world, config, seats };
  if (seed !== undefined) settings.seed = seed;
  const endpoint = languageEndpoint(get("language"), problems);
  if (endpoint !== null) {
    const token = get("token");
    settings.language = token ? { endpoint, token } : { endpoint };
    settings.seats = withModel(seats, sceneOf(world).asking ?? [], get("model") || DEFAULT_MODEL);
  }
  const waits = pace ?? usual;
  if (waits !== undefined) settings.pace = waits;

  return {
    attributes: {
      settings,
      watch,
      insight: choice("insight", INSIGHT, "closed"),
      theme: choice("theme", THEME, "auto"),
      backend: choice("backend", CHOICES, "auto"),
      journal: journalName(get("journal"), watch),
      sink: readSink(get, problems),
    },
    problems,
  };
}

/** Where language models are asked; null where the embedded parser reads. */
function languageEndpoint(value: string | null, problems: Problem[]): string | null {
  if (!value || value === "embedded") return null;
  if (value === "proxy") return location.origin;
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  problems.push({ attribute: "language", value, problem: "not among the choices", valid: "embedded, proxy, or the address of an endpoint" });
  return null;
}

/** The seats, their agents told which model to ask if they can. */
function withModel(seats: SeatSetup[], asking: readonly string[], model: string): SeatSetup[] {
  return seats.map((seat) =>
    seat.kind === "agent" && asking.includes(seat.name) ? { ...seat, config: { ...seat.config, language: { model } } } : seat,
  );
}

/** What the library knows and the attributes name: boards and partners. */
export function checkNames(settings: Settings, worlds: WorldInfo[]): Problem[] {
  const problems: Problem[] = [];
  const world = worlds.find((world) => world.name === settings.world);
  if (!world) {
    const valid = worlds.map((world) => world.name).join(", ");
    return [{ attribute: "world", value: settings.world, problem: "there is no such world", valid }];
  }
  const scene = sceneOf(world.name);
  problems.push(...scene.check({ config: settings.config ?? {} }, world));
  settings.seats.forEach((seat, number) => {
    const known = world.partners.filter((partner) => (partner.seat ?? number) === number).map(({ name }) => name);
    if (seat.kind === "human" || known.includes(seat.name)) return;
    const attribute = scene.attributeOf(number);
    problems.push({ attribute, value: seat.name, problem: "there is no such partner", valid: known.join(", ") });
  });
  return problems;
}

/** What makes two games the same to offer one in place of the other. Nobody is offered another participant's game. */
export function gameKey(settings: Settings, sink: SinkSettings | null): string {
  const { world, config, seats, seed } = settings;
  const whose = sink ? [sink.study, sink.participant, sink.condition] : [];
  return JSON.stringify([world, config, seats, seed ?? null, ...whose]);
}

/** The data sink, if the page names one. */
function readSink(get: (name: AttributeName) => string | null, problems: Problem[]): SinkSettings | null {
  const save = get("save")?.trim();
  if (!save) return null;
  const plain = (attribute: "study" | "participant" | "condition", otherwise: string): string => {
    const value = get(attribute) || otherwise;
    if (PLAIN.test(value)) return value;
    problems.push({ attribute, value, problem: value === "" ? "needed where there is save" : "not a plain name", valid: PLAIN_RULE });
    return otherwise;
  };
  const names = { study: plain("study", ""), participant: plain("participant", ""), condition: plain("condition", "none") };
  const url = address(save);
  if (url === null) problems.push({ attribute: "save", value: save, problem: "not an address", valid: "the address of a tandem-server; / for the page's own" });
  return url === null ? null : { url, ...names };
}

/** With a slash at its end, so that names can be put behind it. */
function address(save: string): string | null {
  try {
    const url = new URL(save.endsWith("/") ? save : `${save}/`, globalThis.document?.baseURI);
    return /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" ? url.href : null;
  } catch {
    return null;
  }
}

/** Watched games can be had again from their seed: they are kept only where the page asks for it. */
function journalName(value: string | null, watch: boolean): string | null {
  if (value === "off") return null;
  if (value) return value;
  return watch ? null : "";
}
