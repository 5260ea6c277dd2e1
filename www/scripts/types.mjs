// Writes pkg/tandem-game.d.ts: the public types, in one file that imports nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";

const PARTS = ["texts/en", "engine/types", "element/public"];
// Every world has types of the same names: each gets a namespace, as element/public imports them.
const WORLDS = { Gnomes: "gnomes/types", Cogrip: "cogrip/types" };

const out = mkdtempSync(join(tmpdir(), "tandem-types-"));
try {
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  const options = ["--ignoreConfig", "--declaration", "--emitDeclarationOnly", "--strict", "--target", "es2022"];
  const more = ["--module", "esnext", "--moduleResolution", "bundler", "--rootDir", "src", "--outDir", out];
  execFileSync(process.execPath, [compiler, ...options, ...more, "src/element/public.ts"], { stdio: "inherit" });
  const text = PARTS.map((part) => readFileSync(join(out, `${part}.d.ts`), "utf8"));
  for (const [name, part] of Object.entries(WORLDS)) {
    const types = readFileSync(join(out, `${part}.d.ts`), "utf8");
    text.push(`export declare namespace ${name} {\n${types}}\n`);
  }
  const alone = text.join("\n").replace(/^import .*;\n/gm, "");
  writeFileSync("../pkg/tandem-game.d.ts", `${alone}\nexport declare const TandemGame: { new (): TandemGameElement };\n`);
} finally {
  rmSync(out, { recursive: true });
}
