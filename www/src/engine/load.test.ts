import { afterEach, describe, expect, test, vi } from "vitest";
import { en } from "../texts/en";
import { explain } from "./diagnose";
import { LoadError, loadLibrary, probeScript } from "./load";
import type { LoadFault } from "./protocol";

const BASE = "https://host.example/pkg/";
/** A library that takes any wasm file; modules of our own come as data. */
const BINDINGS = `data:text/javascript,export default async (o) => { await WebAssembly.compile(o.module_or_path) }`;
const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

afterEach(() => vi.unstubAllGlobals());

interface Served {
  body?: BodyInit;
  status?: number;
  type?: string;
}

/** Loads with the given answer for the wasm file; gives the fault, or the notes if there is none. */
async function loaded(served: Served | Error, onLine = true): Promise<LoadFault | string[]> {
  vi.stubGlobal("navigator", { onLine });
  vi.stubGlobal("fetch", async () => {
    if (served instanceof Error) throw served;
    const headers = { "content-type": served.type ?? "application/wasm" };
    return new Response(served.body ?? WASM, { status: served.status ?? 200, headers });
  });
  const url = vi.spyOn(URL.prototype, "href", "get").mockImplementation(function (this: URL) {
    return this.pathname.endsWith("tandem.js") ? BINDINGS : this.toString();
  });
  const notes: string[] = [];
  try {
    await loadLibrary(BASE, { progress: () => undefined, note: (text) => notes.push(text) });
    return notes;
  } catch (error) {
    if (error instanceof LoadError) return error.fault;
    throw error;
  } finally {
    url.mockRestore();
  }
}

describe("the wasm file", () => {
  test("as it should be", async () => expect(await loaded({})).toEqual([]));

  test("of a wrong type works, with a note", async () => {
    expect(await loaded({ type: "application/octet-stream" })).toEqual([expect.stringContaining("application/wasm")]);
  });

  test.each([
    ["missing", { status: 404, body: "<!doctype html>", type: "text/html" }],
    ["status", { status: 503, body: "" }],
    ["html", { body: "<!doctype html><p>Not here", type: "text/html" }],
    ["html", { body: "\n<html>", type: "application/octet-stream" }],
    ["damaged", { body: new Uint8Array(0) }],
    ["damaged", { body: "version https://git-lfs" }],
    ["damaged", { body: new Uint8Array([...WASM, 1, 9]) }],
  ] as const)("%s: %j", async (cause, served) => expect(await loaded(served as Served)).toMatchObject({ cause }));

  test("without an answer, on line and off", async () => {
    expect(await loaded(new TypeError("Failed to fetch"))).toMatchObject({ cause: "network" });
    expect(await loaded(new TypeError("Failed to fetch"), false)).toMatchObject({ cause: "offline" });
  });

  test("forbidden by a policy", async () => {
    const words = "WebAssembly.compile(): Refused to compile as 'unsafe-eval' is not an allowed source of script";
    vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(new WebAssembly.CompileError(words));
    expect(await loaded({})).toMatchObject({ cause: "csp-wasm" });
  });
});

describe("a script that did not load", () => {
  test.each([
    ["missing", { status: 404 }],
    ["status", { status: 500 }],
    ["html", { type: "text/html" }],
    ["mime-script", { type: "application/octet-stream" }],
    ["unknown", { type: "text/javascript" }],
  ] as const)("%s: %j", async (cause, served: Served) => {
    const headers = { "content-type": served.type ?? "text/plain" };
    vi.stubGlobal("fetch", async () => new Response("", { status: served.status ?? 200, headers }));
    expect(await probeScript(`${BASE}worker.js`, "?")).toMatchObject({ cause });
  });
});

test("every cause is put into words without gaps", () => {
  const causes: LoadFault["cause"][] = [
    "missing", "html", "damaged", "status", "network", "offline", "csp-wasm", "csp-worker", "mime-script", "file", "old", "unknown",
  ];
  const failures = causes.map((cause) => explain({ cause, url: `${BASE}worker.js`, detail: "404" }, en));
  for (const { message, mend } of failures) expect(`${message} ${mend}`).not.toMatch(/\{|undefined/);
  expect(new Set(failures.map(({ message }) => message)).size).toBe(causes.length);
});
