// Writes site/service-worker.js: it keeps the whole site for use without a connection.
//
// The list of files carries a hash of every file's content, and the cache is named by the hash of the list: a new
// build is a new cache, filled before it takes over, and the old ones go. All addresses are relative to the worker's
// own, so the site works under any path.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const SITE = "site";
const NAME = "service-worker.js";
// The trained Guide is megabytes for the few who ask for it: its files are kept once they were used.
const LEFT_OUT = /\.(map|d\.ts)$|^service-worker\.js$|^pkg\/(README\.md|package\.json)$/;
const KEPT_WHEN_USED = /^pkg\/(gpu|weights)\//;

const files = readdirSync(SITE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SITE, join(entry.parentPath, entry.name)).split(sep).join("/"))
  .filter((name) => !LEFT_OUT.test(name) && !KEPT_WHEN_USED.test(name))
  .sort();
const list = files.map((name) => [name, hash(readFileSync(join(SITE, name)))]);

writeFileSync(join(SITE, NAME), worker(list, hash(JSON.stringify(list))));
console.log(`${NAME}: ${files.length} files`);

function hash(data) {
  return createHash("sha256").update(data).digest("hex").slice(0, 16);
}

function worker(list, version) {
  return `// Made by scripts/service-worker.mjs.
const PREFIX = "tandem-site " + self.registration.scope + " ";
const CACHE = PREFIX + "${version}";
const FILES = ${JSON.stringify(list)};
const KEPT_WHEN_USED = ${KEPT_WHEN_USED};

self.addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(clear().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(answer(request, (work) => event.waitUntil(work)));
});

// What did not change is taken from the cache before, not from the network.
async function fill() {
  const cache = await caches.open(CACHE);
  const before = await Promise.all((await ours()).filter((name) => name !== CACHE).map((name) => caches.open(name)));
  await Promise.all(FILES.map(async ([name, hash]) => {
    const key = keyOf(name, hash);
    for (const old of before) {
      const kept = await old.match(key);
      if (kept) return cache.put(key, kept);
    }
    const response = await fetch(new URL(name, self.registration.scope), { cache: "no-cache" });
    if (!response.ok) throw new Error(name + ": " + response.status);
    // A redirected answer could not be given for a page.
    await cache.put(key, response.redirected ? new Response(response.body, { headers: response.headers }) : response);
  }));
}

async function clear() {
  for (const name of await ours()) if (name !== CACHE) await caches.delete(name);
}

async function ours() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

// The name of a file in the cache tells its content as well.
function keyOf(name, hash) {
  const url = new URL(name, self.registration.scope);
  url.searchParams.set("hash", hash);
  return url.href;
}

// The server first: its files fit together, and a new build is seen at once. What it cannot give is kept here.
async function answer(request, beside) {
  const path = decodeURI(new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length));
  const name = path === "" || path.endsWith("/") ? path + "index.html" : path;
  const file = FILES.find(([known]) => known === name || known === name + ".html");
  const used = KEPT_WHEN_USED.test(name);
  const key = file ? keyOf(...file) : used && request.url;
  const keep = async () => key && (await (await caches.open(CACHE)).match(key));
  try {
    const response = await fetch(request);
    // Beside the answer, which is good whether or not it can be kept.
    if (used && response.status === 200 && !response.redirected) {
      const copy = response.clone();
      beside(caches.open(CACHE).then((cache) => cache.put(request.url, copy)).catch(() => undefined));
    }
    return response.status >= 500 ? ((await keep()) ?? response) : response;
  } catch (error) {
    const kept = await keep();
    if (kept) return kept;
    throw error;
  }
}
`;
}
