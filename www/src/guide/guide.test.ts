import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { within, type Backend, type Decision } from "./backend";
import { probeGpu } from "./gpu";
import { Guide, type GuideOptions, type Report } from "./guide";

/** Answers each step with the whole path of its episode, so that a forgotten step shows. */
class Fake implements Backend {
  calls: string[] = [];
  closed = false;
  #path: number[] = [];
  /** What becomes of the steps from this one on. */
  breaks: (() => Promise<never>) | null = null;

  constructor(private readonly name: string, private readonly clock?: { at: number; step: number }) {}

  async begin(tiles: Uint8Array): Promise<void> {
    this.calls.push(`begin ${tiles[0]}`);
    this.#path = [];
  }
  async step(x: number, y: number): Promise<Decision> {
    if (this.breaks) return this.breaks();
    this.calls.push(`step ${x} ${y}`);
    if (this.clock) this.clock.at += this.clock.step;
    this.#path.push(10 * x + y);
    return { logits: Float32Array.from(this.#path), value: this.name === "gpu" ? 1 : 0 };
  }
  async map() {
    if (this.breaks) return this.breaks();
    return { logits: new Float32Array(1), values: new Float32Array([this.name === "gpu" ? 1 : 0]) };
  }
  close(): void {
    this.closed = true;
  }
}

const tiles = (first: number) => Uint8Array.from({ length: 441 }, (_, at) => (at === 0 ? first : 0));
const path = ({ logits }: Decision) => [...logits];

function open(choice: GuideOptions["choice"], cpu: Backend, gpu: () => Promise<Backend>, more: Partial<GuideOptions> = {}) {
  return Guide.open({ choice, cpu: async () => cpu, gpu, ...more });
}

/** A Guide on the GPU, three steps into an episode. */
async function playing(more: Partial<GuideOptions> = {}) {
  const [cpu, gpu] = [new Fake("cpu"), new Fake("gpu")];
  const guide = await open("gpu", cpu, async () => gpu, more);
  await guide.begin(tiles(5));
  for (const x of [1, 2, 3]) await guide.step(x, 0);
  cpu.calls = [];
  return { cpu, gpu, guide };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the CPU alone opens no GPU", async () => {
  const gpu = vi.fn();
  const clock = { at: 0, step: 3 };
  const guide = await open("cpu", new Fake("cpu", clock), gpu, { now: () => clock.at });
  await guide.begin(tiles(1));
  expect(path(await guide.step(1, 2))).toEqual([12]);
  expect(gpu).not.toHaveBeenCalled();
  expect(guide.report).toEqual({ asked: "cpu", backend: "cpu", cpuMillis: 3, gpuMillis: null, reason: null });
});

test("auto keeps the faster and says both times", async () => {
  for (const [gpuStep, backend, reason] of [[1, "gpu", null], [9, "cpu", "the CPU is faster"]] as const) {
    const clock = { at: 0 };
    const timed = (step: number) => ({ get at() { return clock.at; }, set at(at) { clock.at = at; }, step });
    const [cpu, gpu] = [new Fake("cpu", timed(4)), new Fake("gpu", timed(gpuStep))];
    const guide = await open("auto", cpu, async () => gpu, { now: () => clock.at });
    await guide.settled;
    expect(guide.report).toEqual({ asked: "auto", backend, cpuMillis: 4, gpuMillis: gpuStep, reason });
    expect(gpu.closed).toBe(backend === "cpu");
    await guide.begin(tiles(1));
    expect((await guide.step(0, 0)).value).toBe(backend === "gpu" ? 1 : 0);
  }
});

test("with auto the CPU plays until the GPU is ready, and whoever wins goes on where the episode is", async () => {
  for (const [gpuStep, backend] of [[1, "gpu"], [9, "cpu"]] as const) {
    const clock = { at: 0 };
    const timed = (step: number) => ({ get at() { return clock.at; }, set at(at) { clock.at = at; }, step });
    let come: (gpu: Backend) => void = () => undefined;
    const gpu = new Promise<Backend>((resolve) => (come = resolve));
    const told: Report[] = [];
    const guide = await open("auto", new Fake("cpu", timed(4)), () => gpu, { now: () => clock.at, onReport: (report) => told.push(report) });
    await guide.begin(tiles(5));
    expect(path(await guide.step(1, 0))).toEqual([10]);
    expect(guide.report.backend).toBe("cpu");
    expect(told).toEqual([]);
    come(new Fake("gpu", timed(gpuStep)));
    await guide.settled;
    expect(told).toEqual([guide.report]);
    const decision = await guide.step(2, 0);
    expect(path(decision)).toEqual([10, 20]);
    expect(decision.value).toBe(backend === "gpu" ? 1 : 0);
  }
});

test("closing lets what is under way on the CPU end, and refuses the rest", async () => {
  const cpu = new Fake("cpu");
  const guide = await open("cpu", cpu, vi.fn());
  await guide.begin(tiles(5));
  let ends: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (ends = resolve));
  cpu.breaks = () => slow.then(() => Promise.reject(new Error("ended")));
  const first = expect(guide.step(1, 0)).rejects.toThrow("ended");
  const second = expect(guide.step(2, 0)).rejects.toThrow("closed");
  await Promise.resolve();
  guide.close();
  expect(cpu.closed).toBe(false);
  ends();
  await first;
  await second;
  await vi.waitFor(() => expect(cpu.closed).toBe(true));
});

test("a CPU that cannot be timed is closed", async () => {
  const cpu = new Fake("cpu");
  cpu.breaks = () => Promise.reject(new Error("no memory"));
  await expect(open("cpu", cpu, vi.fn())).rejects.toThrow("no memory");
  await vi.waitFor(() => expect(cpu.closed).toBe(true));
});

test("a GPU that comes when the Guide is closed is closed too", async () => {
  const gpu = new Fake("gpu");
  let come: (gpu: Backend) => void = () => undefined;
  const guide = await open("auto", new Fake("cpu"), () => new Promise((resolve) => (come = resolve)));
  guide.close();
  come(gpu);
  await guide.settled;
  expect(gpu.closed).toBe(true);
});

test("a GPU that is chosen is kept though it is slower", async () => {
  const clock = { at: 0, step: 9 };
  const guide = await open("gpu", new Fake("cpu"), async () => new Fake("gpu", clock), { now: () => clock.at });
  expect(guide.report).toMatchObject({ backend: "gpu", gpuMillis: 9, cpuMillis: 0 });
});

test("a GPU that cannot be opened leaves the CPU, and the reason", async () => {
  const guide = await open("gpu", new Fake("cpu"), async () => { throw new Error("no adapter"); });
  expect(guide.report).toMatchObject({ backend: "cpu", reason: "no adapter" });
  await guide.begin(tiles(1));
  expect(path(await guide.step(2, 2))).toEqual([22]);
});

test("a GPU that fails in the race is closed", async () => {
  const gpu = new Fake("gpu");
  gpu.breaks = () => Promise.reject(new Error("lost"));
  const guide = await open("auto", new Fake("cpu"), async () => gpu);
  await guide.settled;
  expect(guide.report).toMatchObject({ backend: "cpu", reason: "lost" });
  expect(gpu.closed).toBe(true);
});

test("without a CPU there is no Guide, and the GPU is closed", async () => {
  const gpu = new Fake("gpu");
  const opened = Guide.open({ choice: "auto", cpu: () => Promise.reject(new Error("no memory")), gpu: async () => gpu });
  await expect(opened).rejects.toThrow("no memory");
  expect(gpu.closed).toBe(true);
});

test("a GPU lost in an episode: its path is walked again on the CPU and nothing is missing", async () => {
  const told: Report[] = [];
  const { cpu, gpu, guide } = await playing({ onReport: (report) => told.push(report) });
  told.length = 0;
  gpu.breaks = () => Promise.reject(new Error("device lost"));
  const decision = await guide.step(4, 0);
  expect(path(decision)).toEqual([10, 20, 30, 40]);
  expect(decision.value).toBe(0);
  expect(cpu.calls).toEqual(["begin 5", "step 1 0", "step 2 0", "step 3 0", "step 4 0"]);
  expect(gpu.closed).toBe(true);
  expect(told).toEqual([guide.report]);
  expect(guide.report).toMatchObject({ asked: "gpu", backend: "cpu", reason: "device lost" });
  expect(path(await guide.step(5, 0))).toEqual([10, 20, 30, 40, 50]);
});

test("a map that fails is made on the CPU, and the episode goes on there", async () => {
  const { gpu, guide } = await playing();
  expect((await guide.map()).values[0]).toBe(1);
  gpu.breaks = () => Promise.reject(new Error("out of memory"));
  expect((await guide.map()).values[0]).toBe(0);
  expect(path(await guide.step(4, 0))).toEqual([10, 20, 30, 40]);
});

test("steps that are asked for at once are answered in order", async () => {
  const { gpu, guide } = await playing();
  gpu.breaks = () => Promise.reject(new Error("device lost"));
  const decisions = await Promise.all([guide.step(4, 0), guide.step(5, 0)]);
  expect(decisions.map(path)).toEqual([[10, 20, 30, 40], [10, 20, 30, 40, 50]]);
});

test("what never answers fails when its time is over", async () => {
  const late = within(new Promise(() => undefined), 2000, "the GPU's step");
  const refused = expect(late).rejects.toThrow("the GPU's step took longer than 2000 ms");
  await vi.advanceTimersByTimeAsync(2000);
  await refused;
  await expect(within(Promise.resolve(3), 2000, "this")).resolves.toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});

test("looking for a GPU ends, whatever the browser does", async () => {
  const looks = (gpu: unknown) => {
    vi.stubGlobal("navigator", { gpu });
    return probeGpu();
  };
  await expect(looks(undefined)).rejects.toThrow("no WebGPU");
  await expect(looks({ requestAdapter: async () => null })).rejects.toThrow("no GPU");
  await expect(looks({ requestAdapter: () => { throw new Error("driver"); } })).rejects.toThrow("driver");
  await expect(looks({ requestAdapter: async () => ({}) })).resolves.toBeUndefined();
  const hanging = expect(looks({ requestAdapter: () => new Promise(() => undefined) })).rejects.toThrow("longer than 2000 ms");
  await vi.advanceTimersByTimeAsync(2000);
  await hanging;
});
