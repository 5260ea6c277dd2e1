import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Backend } from "./backend";
import { Desk, type GuideQuestion } from "./desk";

/** A CPU that tells what was asked of it. */
class Cpu implements Backend {
  calls: string[] = [];
  closed = false;
  failing: string | null = null;

  async begin(tiles: Uint8Array): Promise<void> {
    this.#may("begin");
    this.calls.push(`begin ${tiles[0]}`);
  }
  async step(x: number, y: number) {
    this.#may("step");
    this.calls.push(`step ${x} ${y}`);
    return { logits: new Float32Array(14), value: x };
  }
  async map() {
    this.calls.push("map");
    return { logits: new Float32Array(0), values: new Float32Array(0) };
  }
  close(): void {
    this.closed = true;
  }
  #may(call: string): void {
    if (this.failing !== call) return;
    this.failing = null;
    throw new Error(`no ${call}`);
  }
}

const question = (kind: number, path: number[], guide = "eager-0.95"): GuideQuestion => ({ guide, tiles: [[0, kind]], path });

let cpus: Cpu[];
/** A desk with its CPU open, which has forgotten how that was timed. Each test has an address of its own: weights are kept. */
async function opened(): Promise<{ desk: Desk; cpu: Cpu }> {
  const base = `https://example.org/${Math.random()}/`;
  const desk = new Desk({ base, choice: "cpu", cpu: async () => { cpus.push(new Cpu()); return cpus.at(-1)!; } });
  await desk.ready("eager-0.95");
  cpus[0]!.calls = [];
  return { desk, cpu: cpus[0]! };
}

beforeEach(() => {
  cpus = [];
  vi.stubGlobal("fetch", vi.fn(async () => new Response(new Uint8Array(3))));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a question that goes on costs one step, any other begins the episode anew", async () => {
  const { desk, cpu } = await opened();
  expect((await desk.answer(question(4, [3]))).value).toBe(3);
  await desk.answer(question(4, [3, 22]));
  await desk.answer(question(8, [5]));
  await desk.answer(question(8, [6, 7]));
  expect(cpu.calls).toEqual(["begin 4", "step 3 0", "step 1 1", "begin 8", "step 5 0", "begin 8", "step 6 0", "step 7 0"]);
});

test("after a failure the next question begins anew, on its own board", async () => {
  const { desk, cpu } = await opened();
  await desk.answer(question(4, [3]));
  cpu.failing = "begin";
  await expect(desk.answer(question(8, [3]))).rejects.toThrow("no begin");
  cpu.failing = "step";
  await expect(desk.answer(question(8, [3]))).rejects.toThrow("no step");
  await desk.answer(question(8, [3]));
  expect(cpu.calls).toEqual(["begin 4", "step 3 0", "begin 8", "begin 8", "step 3 0"]);
});

test("a map of another board ends the episode, one of its own does not", async () => {
  const { desk, cpu } = await opened();
  const board = (kind: number) => Uint8Array.from({ length: 441 }, (_, tile) => (tile === 0 ? kind : 0));
  await desk.answer(question(4, [3]));
  await desk.map(board(4));
  await desk.answer(question(4, [3, 4]));
  await desk.map(board(8));
  await desk.answer(question(4, [3, 4, 5]));
  expect(cpu.calls).toEqual(["begin 4", "step 3 0", "map", "step 4 0", "begin 8", "map", "begin 4", "step 3 0", "step 4 0", "step 5 0"]);
});

test("other weights open another network, and the one before is closed", async () => {
  const { desk, cpu } = await opened();
  await desk.answer(question(4, [3], "cautious-0.75"));
  await vi.waitFor(() => expect(cpu.closed).toBe(true));
  expect(cpus).toHaveLength(2);
});

test("a desk that is closed opens nothing again", async () => {
  const { desk, cpu } = await opened();
  const answer = expect(desk.answer(question(4, [3]))).rejects.toThrow("closed");
  desk.close();
  await answer;
  await vi.waitFor(() => expect(cpu.closed).toBe(true));
  expect(cpus).toHaveLength(1);
});

test("weights that do not come are given up, named, and asked for again", async () => {
  vi.useFakeTimers();
  const { desk } = await opened();
  const silent = (_: string, { signal }: { signal: AbortSignal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  vi.stubGlobal("fetch", silent);
  const late = expect(desk.ready("cautious-0.99")).rejects.toThrow(/cautious-0\.99\.safetensors: nothing came for 15 s/);
  await vi.advanceTimersByTimeAsync(15_000);
  await late;
  vi.stubGlobal("fetch", async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }));
  await expect(desk.ready("cautious-0.99")).rejects.toThrow("a web page came in its place");
  vi.stubGlobal("fetch", async () => new Response(new Uint8Array(3)));
  await expect(desk.ready("cautious-0.99")).resolves.toBeUndefined();
});

test("what has come of both files is told, and of how much once both have said it", async () => {
  const told: [number, number | null][] = [];
  let letCome = () => {};
  const late = new Promise<void>((resolve) => (letCome = resolve));
  vi.stubGlobal("fetch", async (url: string) => {
    const length = url.includes("encoder") ? 5 : 3;
    if (length === 5) await late;
    return new Response(new Uint8Array(length), { headers: { "content-length": String(length) } });
  });
  const desk = new Desk({ base: "https://example.org/bytes/", choice: "cpu", cpu: async () => new Cpu(), onBytes: (...came) => told.push(came) });
  const ready = desk.ready("eager-0.75");
  await vi.waitFor(() => expect(told).toEqual([[3, null]]));
  letCome();
  await ready;
  expect(told).toEqual([[3, null], [8, 8]]);
});
