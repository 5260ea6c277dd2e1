import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Journal } from "./journal";

/** Web Locks as far as the journal uses them. */
class Locks {
  readonly #held = new Set<string>();
  async request(name: string, _: unknown, inside: (lock: object | null) => unknown): Promise<unknown> {
    if (this.#held.has(name)) return inside(null);
    this.#held.add(name);
    try {
      return await inside({});
    } finally {
      this.#held.delete(name);
    }
  }
}

const LINES = ["zero", "one", "two"];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("navigator", { locks: new Locks() });
});

async function played(journal: Journal, lines = LINES, key = "k") {
  const recorder = await journal.begin("j", key);
  lines.forEach((line, n) => recorder.append(n, line));
  await recorder.written();
  return recorder;
}

describe("a journal", () => {
  test("keeps every line in order, and offers the game once its page is gone", async () => {
    const journal = await Journal.open();
    const recorder = await played(journal);
    expect(await journal.text(recorder.id)).toBe("zero\none\ntwo\n");
    expect(await journal.unfinished("j", "k")).toEqual({ found: null, elsewhere: true });
    await recorder.close();
    const { found } = await journal.unfinished("j", "k");
    expect(found?.game).toMatchObject({ id: recorder.id, lines: 3, state: "open" });
  });

  test("offers nothing of another journal, another set-up, or that is over", async () => {
    const journal = await Journal.open();
    const recorder = await played(journal);
    recorder.finish();
    await recorder.close();
    await (await played(journal, LINES, "other")).close();
    expect((await journal.unfinished("j", "k")).found).toBeNull();
    expect((await journal.unfinished("elsewhere", "k")).found).toBeNull();
    expect((await journal.games("j")).map(({ state }) => state).sort()).toEqual(["open", "over"]);
  });

  test("goes on in the same record", async () => {
    const journal = await Journal.open();
    await (await played(journal)).close();
    const { found } = await journal.unfinished("j", "k");
    const lines = await found!.lines();
    const recorder = await found!.goOn(lines);
    recorder.append(3, "three");
    await recorder.written();
    expect(await journal.text(recorder.id)).toBe("zero\none\ntwo\nthree\n");
    expect(await journal.games("j")).toHaveLength(1);
  });

  test("keeps a game that is laid aside", async () => {
    const journal = await Journal.open();
    await (await played(journal)).close();
    const { found } = await journal.unfinished("j", "k");
    await found!.layAside();
    expect((await journal.unfinished("j", "k")).found).toBeNull();
    expect(await journal.text(found!.game.id)).toBe("zero\none\ntwo\n");
  });

  test("goes on from the lines before a gap, and what lay behind it is gone", async () => {
    const journal = await Journal.open();
    const recorder = await journal.begin("j", "k");
    for (const n of [0, 1, 3, 4]) recorder.append(n, `line ${n}`);
    await recorder.close();
    const { found } = await journal.unfinished("j", "k");
    const lines = await found!.lines();
    expect(lines).toEqual(["line 0", "line 1"]);
    const again = await found!.goOn(lines);
    again.append(2, "new 2");
    await again.written();
    expect(await journal.text(again.id)).toBe("line 0\nline 1\nnew 2\n");
  });

  test("forgets a game only by hand", async () => {
    const journal = await Journal.open();
    const recorder = await played(journal);
    await journal.remove(recorder.id);
    expect(await journal.games("j")).toEqual([]);
    expect(await journal.text(recorder.id)).toBe("");
  });

  test("tells of lines it could not store, and stores them with the next that can be", async () => {
    const journal = await Journal.open();
    const recorder = await journal.begin("j", "k");
    const troubles: unknown[] = [];
    recorder.onTrouble = (error) => troubles.push(error);
    const refuse = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementationOnce(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    recorder.append(0, "zero");
    await recorder.written();
    expect(troubles).toHaveLength(1);
    refuse.mockRestore();
    recorder.append(1, "one");
    await recorder.written();
    expect(await journal.text(recorder.id)).toBe("zero\none\n");
  });
});

describe("what the journal knows of saving", () => {
  const SINK = { url: "https://host/", study: "s", participant: "p", condition: "c" };

  test("comes back with the game, chunk by chunk", async () => {
    const journal = await Journal.open();
    const recorder = await played(journal);
    await recorder.keepSaving(SINK, { ends: [1, 3], acknowledged: 1 });
    await recorder.close();
    const { found } = await journal.unfinished("j", "k");
    const again = await found!.goOn(await found!.lines());
    expect(again.saving).toEqual({ sink: SINK, mark: { ends: [1, 3], acknowledged: 1 } });
  });

  test("names the games that still owe rows to this sink, and no others", async () => {
    const journal = await Journal.open();
    const owing = await played(journal);
    await owing.keepSaving(SINK, { ends: [1], acknowledged: 1 });
    await owing.leave();
    const saved = await played(journal);
    await saved.keepSaving(SINK, { ends: [3], acknowledged: 1 });
    await saved.leave();
    const inPlay = await played(journal);
    await inPlay.keepSaving(SINK, { ends: [1], acknowledged: 0 });
    await inPlay.close();
    expect(await journal.unsaved("j", { ...SINK, participant: "q" })).toEqual([]);
    const found = await journal.unsaved("j", SINK);
    expect(found.map(({ recorder, lines, mark }) => [recorder.id, lines, mark])).toEqual([[owing.id, LINES, { ends: [1], acknowledged: 1 }]]);
    expect(await journal.unsaved("j", SINK)).toEqual([]);
  });
});

test("without Web Locks two pages that go on with one game get a record each", async () => {
  vi.stubGlobal("navigator", {});
  const journal = await Journal.open();
  await (await played(journal)).close();
  const [first, second] = [await journal.unfinished("j", "k"), await journal.unfinished("j", "k")];
  const one = await first.found!.goOn(await first.found!.lines());
  const two = await second.found!.goOn(await second.found!.lines());
  one.append(3, "mine");
  two.append(3, "yours");
  await Promise.all([one.written(), two.written()]);
  expect(await journal.text(one.id)).toBe("zero\none\ntwo\nmine\n");
  expect(await journal.text(two.id)).toBe("zero\none\ntwo\nyours\n");
});
