/** The element's attributes: what they may be, and what a page wrote instead. */

import type { GnomesConfig, Settings, WorldInfo } from "../engine/types";

/** The element's attributes, checked. */
export interface Attributes {
  settings: Settings;
  watch: boolean;
  insight: "off" | "closed" | "open";
  theme: "auto" | "light" | "dark";
  /** Null: no journal. */
  journal: string | null;
}

/** An attribute that is not as it should be. */
export interface Problem {
  attribute: string;
  value: string;
  problem: string;
  valid: string;
}

export const ATTRIBUTES = [
  "world", "board", "partner", "human", "seed", "pace", "first", "watch", "insight", "theme", "journal", "replay", "base",
] as const;
export type AttributeName = (typeof ATTRIBUTES)[number];

/** Changing one of these begins another game; the others only change how this one is shown. */
export const GAME_ATTRIBUTES: readonly AttributeName[] = [
  "world", "board", "partner", "human", "seed", "pace", "first", "watch", "journal", "base",
];

export const INSIGHT = ["off", "closed", "open"] as const;
export const THEME = ["auto", "light", "dark"] as const;

const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
const SLOWEST_PACE = 60_000;

/** Reads an element's attributes. `board` is what the page gave by property, if it did. */
export function readAttributes(
  get: (name: AttributeName) => string | null,
  board: string | object | null,
): { attributes: Attributes; problems: Problem[] } {
  const problems: Problem[] = [];

  const choice = <T extends string>(attribute: AttributeName, valid: readonly T[], otherwise: T): T => {
    const value = get(attribute);
    if (value === null || value === "") return otherwise;
    if ((valid as readonly string[]).includes(value)) return value as T;
    problems.push({ attribute, value, problem: "not among the choices", valid: valid.join(", ") });
    return otherwise;
  };
  const number = (attribute: AttributeName, largest: number, what: string): number | undefined => {
    const value = get(attribute);
    if (value === null || value.trim() === "") return undefined;
    const given = Number(value);
    if (/^\s*\d+\s*$/.test(value) && given <= largest) return given;
    problems.push({ attribute, value, problem: "not such a number", valid: `${what} from 0 to ${largest}` });
    return undefined;
  };

  const world = choice("world", ["gnomes"], "gnomes");
  const seed = number("seed", LARGEST_SEED, "a whole number");
  const pace = number("pace", SLOWEST_PACE, "milliseconds");
  const first = choice("first", ["0", "1"], "0");
  const watch = flag(get("watch"));
  const partner = get("partner") || "comm";
  const config: GnomesConfig = { board: board ?? (get("board") || "9A"), first: first === "1" ? 1 : 0 };
  const settings: Settings = {
    world,
    config,
    seats: [watch ? { kind: "agent", name: get("human") || "simulated" } : { kind: "human" }, { kind: "agent", name: partner }],
  };
  if (seed !== undefined) settings.seed = seed;
  if (pace !== undefined) settings.pace = pace;

  return {
    attributes: {
      settings,
      watch,
      insight: choice("insight", INSIGHT, "closed"),
      theme: choice("theme", THEME, "auto"),
      journal: journalName(get("journal"), watch),
    },
    problems,
  };
}

/** What the library knows and the attributes name: boards and partners. */
export function checkNames(settings: Settings, worlds: WorldInfo[]): Problem[] {
  const problems: Problem[] = [];
  const world = worlds.find((world) => world.name === settings.world);
  if (!world) {
    const valid = worlds.map((world) => world.name).join(", ");
    return [{ attribute: "world", value: settings.world, problem: "there is no such world", valid }];
  }
  const board = settings.config?.board;
  // Generated boards ("random-9x9-3") and level texts are for the library to judge.
  if (typeof board === "string" && !/[\n\r]|^random-/.test(board) && !world.boards.some(({ name }) => name === board)) {
    const valid = `${world.boards.map(({ name }) => name).join(", ")}, or random-WIDTHxHEIGHT-SEED`;
    problems.push({ attribute: "board", value: board, problem: "there is no such board", valid });
  }
  const known = world.partners.map(({ name }) => name);
  for (const seat of settings.seats) {
    if (seat.kind === "agent" && !known.includes(seat.name)) {
      const valid = known.join(", ");
      const attribute = seat === settings.seats[0] ? "human" : "partner";
      problems.push({ attribute, value: seat.name, problem: "there is no such partner", valid });
    }
  }
  return problems;
}

/** What makes two games the same to offer one in place of the other. */
export function gameKey(settings: Settings): string {
  const { world, config, seats, seed } = settings;
  return JSON.stringify([world, config, seats, seed ?? null]);
}

function flag(value: string | null): boolean {
  return value !== null && value !== "false";
}

/** Watched games can be had again from their seed: they are kept only where the page asks for it. */
function journalName(value: string | null, watch: boolean): string | null {
  if (value === "off") return null;
  if (value) return value;
  return watch ? null : "";
}
