/** The finished site behind the project's own server, and a small server that misbehaves on demand. */

import { test as base, expect } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const site = process.env["TANDEM_SITE"] ?? join(root, "www/site");
const server = process.env["TANDEM_SERVER"] ?? join(root, "target/debug/tandem-server");

/** How the misbehaving server answers. */
export interface Faults {
  /** The type of wasm files. */
  wasmType?: string;
  /** A page in place of the wasm file, with status 404. */
  wasmMissing?: boolean;
  /** Half of the wasm file. */
  wasmCut?: boolean;
  /** The type of scripts. */
  scriptType?: string;
  /** Files that are not there. */
  missing?: string[];
  /** The content security policy of every answer. */
  policy?: string;
  /** Pages of the test's own: path to HTML. */
  pages?: Record<string, string>;
  /** The site lies under this path, not at the root: "/some/where". */
  under?: string;
  /** What answers chat requests: it gets the request's body and writes the response. */
  chat?: (body: ChatBody, response: ServerResponse) => void;
}

/** A chat request, as far as tests look at it. */
export interface ChatBody {
  model: string;
  stream: boolean;
  messages: { role: string; content: string }[];
}

export interface Host {
  url: string;
  faults: Faults;
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".json": "application/json", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".jsonl": "text/plain",
};

export const test = base.extend<{ host: Host }, { siteUrl: string }>({
  /** Where tandem-server serves the site. */
  siteUrl: [
    async ({}, use) => {
      const child: ChildProcess = spawn(server, ["--dir", site, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
      const url = await new Promise<string>((found, failed) => {
        child.once("error", failed);
        child.stdout?.once("data", (data: Buffer) => found(data.toString().trim().split("\n")[0] ?? ""));
      });
      await use(url.endsWith("/") ? url : `${url}/`);
      child.kill("SIGTERM");
    },
    { scope: "worker" },
  ],
  /** A server of the test's own, which serves the site with faults. */
  host: async ({}, use) => {
    const host: Host = { url: "", faults: {} };
    const http: Server = createServer((request, response) => {
      const { faults } = host;
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
      if (faults.policy) response.setHeader("Content-Security-Policy", faults.policy);
      if (faults.chat && path === "/v1/chat/completions") {
        const pieces: Buffer[] = [];
        request.on("data", (piece: Buffer) => pieces.push(piece));
        request.on("end", () => faults.chat?.(JSON.parse(Buffer.concat(pieces).toString()) as ChatBody, response));
        return;
      }
      const page = faults.pages?.[path];
      if (page !== undefined) return void response.setHeader("Content-Type", "text/html; charset=utf-8").end(page);
      const under = faults.under ?? "";
      const file = path.startsWith(`${under}/`) ? normalize(join(site, path.slice(under.length))) : "";
      const wasm = extname(file) === ".wasm";
      if (!file.startsWith(site) || !existsSync(file) || !statSync(file).isFile() || (wasm && faults.wasmMissing) || faults.missing?.includes(path)) {
        response.statusCode = 404;
        return void response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Not here</title>");
      }
      const script = extname(file) === ".js" && faults.scriptType && !file.endsWith("tandem-game.js");
      const type = script ? faults.scriptType! : wasm && faults.wasmType ? faults.wasmType : (TYPES[extname(file)] ?? "application/octet-stream");
      response.setHeader("Content-Type", type);
      createReadStream(file, wasm && faults.wasmCut ? { end: statSync(file).size >> 1 } : {}).pipe(response);
    });
    await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
    const address = http.address();
    host.url = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";
    await use(host);
    http.closeAllConnections();
    http.close();
  },
});

export { expect };

/** A page with nothing but games in it. */
export function hostPage(body: string, script = ""): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
    <script type="module" src="/pkg/tandem-game.js"></script>${script}<body>${body}</body></html>`;
}
