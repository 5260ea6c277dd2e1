import { describe, expect, test } from "vitest";
import type { WorldInfo } from "../engine/types";
import { checkNames, gameKey, readAttributes, type AttributeName } from "./attributes";

const worlds: WorldInfo[] = [
  {
    name: "gnomes",
    title: "Gnomes at Night",
    rules: "gnomes-1",
    boards: [{ name: "9A", width: 9, height: 9, rounds: 5, note: "" }],
    partners: ["comm", "simulated"].map((name) => ({ name, note: "" })),
  },
];

function read(given: Partial<Record<AttributeName, string>>, board: string | object | null = null) {
  return readAttributes((name) => given[name] ?? null, board);
}

describe("attributes", () => {
  test("none at all give the paper's game", () => {
    const { attributes, problems } = read({});
    expect(problems).toEqual([]);
    expect(attributes.settings).toEqual({
      world: "gnomes",
      config: { board: "9A", first: 0 },
      seats: [{ kind: "human" }, { kind: "agent", name: "comm" }],
    });
    expect(attributes).toMatchObject({ insight: "closed", theme: "auto", watch: false, journal: "" });
  });

  test("all of them arrive in the settings", () => {
    const { attributes, problems } = read({ seed: "7", pace: "0", first: "1", partner: "mute", journal: "study" });
    expect(problems).toEqual([]);
    expect(attributes.settings).toMatchObject({ seed: 7, pace: 0, config: { first: 1 } });
    expect(attributes.settings.seats[1]).toEqual({ kind: "agent", name: "mute" });
    expect(attributes.journal).toBe("study");
  });

  test.each([
    ["world", "chess"],
    ["seed", "-1"],
    ["seed", "1.5"],
    ["seed", "9007199254740992"],
    ["seed", "0x7"],
    ["pace", "60001"],
    ["pace", "fast"],
    ["first", "2"],
    ["insight", "yes"],
    ["theme", "Dark"],
  ] as const)("%s=%j is a problem with the choices named", (attribute, value) => {
    const { problems } = read({ [attribute]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ attribute, value });
    expect(problems[0]?.valid).not.toBe("");
  });

  test("all problems are told at once", () => {
    expect(read({ seed: "x", theme: "x", first: "x" }).problems.map(({ attribute }) => attribute)).toEqual([
      "seed",
      "first",
      "theme",
    ]);
  });

  test("a board given by property goes before the attribute", () => {
    const level = "a\nb";
    expect(read({ board: "9A" }, level).attributes.settings.config).toMatchObject({ board: level });
  });

  test("watching seats the simulated human and keeps no journal unless one is named", () => {
    expect(read({ watch: "" }).attributes.settings.seats[0]).toEqual({ kind: "agent", name: "simulated" });
    expect(read({ watch: "" }).attributes.journal).toBeNull();
    expect(read({ watch: "", human: "comm" }).attributes.settings.seats[0]).toEqual({ kind: "agent", name: "comm" });
    expect(read({ watch: "", journal: "w" }).attributes.journal).toBe("w");
    expect(read({ journal: "off" }).attributes.journal).toBeNull();
  });
});

describe("names", () => {
  const problems = (given: Partial<Record<AttributeName, string>>, board: string | object | null = null) =>
    checkNames(read(given, board).attributes.settings, worlds);

  test("known ones are no problem, nor what only the library can judge", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ board: "random-5x5-1" })).toEqual([]);
    expect(problems({}, "level\ntext")).toEqual([]);
    expect(problems({}, { height: 5 })).toEqual([]);
  });

  test("unknown ones come with the list of those there are", () => {
    expect(problems({ board: "9Z", partner: "hal" })).toEqual([
      expect.objectContaining({ attribute: "board", value: "9Z", valid: expect.stringContaining("9A") }),
      expect.objectContaining({ attribute: "partner", value: "hal", valid: "comm, simulated" }),
    ]);
  });
});

test("games are alike when what was asked for is", () => {
  const key = (given: Partial<Record<AttributeName, string>>) => gameKey(read(given).attributes.settings);
  expect(key({ seed: "7", theme: "dark" })).toBe(key({ seed: "7", pace: "0" }));
  expect(key({ seed: "7" })).not.toBe(key({ seed: "8" }));
  expect(key({ board: "5A" })).not.toBe(key({}));
});
