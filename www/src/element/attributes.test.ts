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
  {
    name: "cogrip",
    title: "CoGRIP-GL",
    rules: "cogrip-1",
    boards: [{ name: "first", width: 21, height: 21, rounds: 1, note: "" }],
    partners: [
      { name: "heuristic", note: "", seat: 0 },
      { name: "eager", note: "", seat: 1 },
    ],
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

  test("a language model is asked by the partner that can", () => {
    const given = { language: "https://host.example/v1", model: "small", token: "t" };
    const { attributes, problems } = read(given);
    expect(problems).toEqual([]);
    expect(attributes.settings.language).toEqual({ endpoint: "https://host.example/v1", token: "t" });
    expect(attributes.settings.seats[1]).toEqual({ kind: "agent", name: "comm", config: { language: { model: "small" } } });
    expect(read({ ...given, partner: "mute" }).attributes.settings.seats[1]).toEqual({ kind: "agent", name: "mute" });
    expect(read({ language: "embedded", model: "small" }).attributes.settings.language).toBeUndefined();
    expect(read({ language: "gpt" }).problems[0]).toMatchObject({ attribute: "language", value: "gpt" });
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

describe("the reference game", () => {
  const grip = (given: Partial<Record<AttributeName, string>>) => read({ world: "cogrip", ...given });
  const seats = (given: Partial<Record<AttributeName, string>>) => grip(given).attributes.settings.seats;

  test("a role seats the person, or two agents", () => {
    const guide = { kind: "agent", name: "heuristic" };
    const follower = { kind: "agent", name: "eager", config: { phi: 0.95 } };
    expect(seats({})).toEqual([guide, { kind: "human" }]);
    expect(seats({ role: "guide" })).toEqual([{ kind: "human" }, follower]);
    expect(seats({ role: "watch" })).toEqual([guide, follower]);
    expect(seats({ watch: "" })).toEqual([guide, follower]);
    expect(grip({ role: "watch" }).attributes).toMatchObject({ watch: true, journal: null });
    expect(seats({ role: "guide", follower: "cautious", phi: "0.75" })[1]).toEqual({ kind: "agent", name: "cautious", config: { phi: 0.75 } });
  });

  test("board, rounds, seed and pace arrive; its agents are quicker than a person", () => {
    expect(grip({}).attributes.settings).toMatchObject({ pace: 400, config: { board: "random", rounds: 1 } });
    expect(grip({ board: "first", rounds: "3", pace: "0", seed: "7" }).attributes.settings).toMatchObject({
      pace: 0, seed: 7, config: { board: "first", rounds: 3 },
    });
  });

  test("a task given by property is a line of JSON", () => {
    const { attributes } = readAttributes((name) => (name === "world" ? "cogrip" : null), { size: 21 });
    expect(attributes.settings.config).toMatchObject({ board: '{"size":21}' });
  });

  test.each([
    ["role", "referee"],
    ["phi", "0.5"],
    ["rounds", "101"],
    ["rounds", "many"],
  ] as const)("%s=%j is a problem with the choices named", (attribute, value) => {
    expect(grip({ [attribute]: value }).problems).toEqual([expect.objectContaining({ attribute, value, valid: expect.stringMatching(/./) })]);
  });

  test("who sits at the other seat is unknown at this one", () => {
    const problems = (given: Partial<Record<AttributeName, string>>) => checkNames(grip(given).attributes.settings, worlds);
    expect(problems({ board: "random-15-3" })).toEqual([]);
    expect(problems({ board: "test-7", role: "watch" })).toEqual([]);
    expect(problems({ guide: "eager" })).toEqual([expect.objectContaining({ attribute: "guide", value: "eager", valid: "heuristic" })]);
    expect(problems({ board: "last", rounds: "0" })).toEqual([
      expect.objectContaining({ attribute: "board", value: "last", valid: expect.stringContaining("first") }),
      expect.objectContaining({ attribute: "rounds", value: "0" }),
    ]);
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
  const key = (given: Partial<Record<AttributeName, string>>) => {
    const { settings, sink } = read(given).attributes;
    return gameKey(settings, sink);
  };
  expect(key({ seed: "7", theme: "dark" })).toBe(key({ seed: "7", pace: "0" }));
  expect(key({ seed: "7" })).not.toBe(key({ seed: "8" }));
  expect(key({ board: "5A" })).not.toBe(key({}));
  const sink = { save: "https://host", study: "s", participant: "P1" };
  expect(key({ ...sink, participant: "P2" })).not.toBe(key(sink));
  expect(key({ study: "s" })).toBe(key({}));
});

describe("the data sink", () => {
  const sink = { save: "https://host/x", study: "pilot", participant: "P01" };

  test("is none unless the page names one", () => {
    expect(read({ study: "pilot", participant: "P01" })).toMatchObject({ attributes: { sink: null }, problems: [] });
  });

  test("has an address and three names", () => {
    expect(read(sink).attributes.sink).toEqual({ url: "https://host/x/", study: "pilot", participant: "P01", condition: "none" });
    expect(read({ ...sink, condition: "mute" }).attributes.sink?.condition).toBe("mute");
  });

  test.each([
    [{ participant: "" }, "participant"],
    [{ participant: "a/b" }, "participant"],
    [{ study: "_x" }, "study"],
    [{ condition: "a b" }, "condition"],
    [{ save: "javascript:x" }, "save"],
    [{ save: "https://host/?x" }, "save"],
  ])("%o is a problem", (given, attribute) => {
    expect(read({ ...sink, ...given }).problems.map((problem) => problem.attribute)).toEqual([attribute]);
  });
});
