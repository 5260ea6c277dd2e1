/** Nothing that is built for browsers holds a key, or anything that looks like one. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const root = resolve(import.meta.dirname, "../../..");
const site = process.env["TANDEM_SITE"] ?? join(root, "www/site");

/** The forms of keys that services give out, of tokens, and of keys written into code. */
const FORMS = [
  /\bsk-[A-Za-z0-9_-]{16,}/, // OpenAI and those that imitate it
  /\b(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|xox[abp]-|AKIA|AIza)[A-Za-z0-9_-]{12,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/, // a signed token
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /[Bb]earer [A-Za-z0-9._~+/-]{16,}/,
  /(?:api[_-]?key|secret|password)["']?\s*[:=]\s*["'`][^"'`$\s]{8,}["'`]/i,
];

/** What the repository's own configurations give as keys. */
const OWN = ["demo.toml", "tandem-server.example.toml"].flatMap((name) => {
  const text = readFileSync(join(root, "crate/server", name), "utf8");
  return [...text.matchAll(/^(?:key|secret) = "([^"]+)"/gm)].map(([, key]) => key!);
});

/** What is found in a text, with what stands around it. */
function found(text: string): string[] {
  const forms = FORMS.flatMap((form) => form.exec(text)?.[0] ?? []);
  return [...forms, ...OWN.filter((key) => text.includes(key))].map((key) => key.slice(0, 60));
}

test("keys are found where there are some", () => {
  expect(OWN.length).toBeGreaterThan(0);
  const keys = ["sk-proj-0123456789abcdef", "ghp_0123456789abcdef", "-----BEGIN PRIVATE KEY-----", `apiKey: "0123456789"`,
    "Bearer 0123456789abcdef0123", "eyJhbGciOiJIUzI1NiJ9.eyJzdHVkeSI6InAifQ.c2lnbmF0dXJlLi4u", OWN[0]!];
  for (const key of keys) expect(found(`const a = 1; ${key}; b()`), key).not.toEqual([]);
});

test("no built file holds a key", () => {
  let files = 0;
  for (const folder of [site, join(root, "pkg")]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes("node_modules")) continue;
      const path = join(entry.parentPath, entry.name);
      // Byte for byte, WebAssembly too.
      expect(found(readFileSync(path, "latin1")), path).toEqual([]);
      files += 1;
    }
  }
  expect(files).toBeGreaterThan(20);
});
