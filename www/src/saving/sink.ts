/** The data sink's two calls, and what their answers mean. The form is described in docs/server.md. */

import type { Answer } from "./machine";

/** Where rows go, and whose they are. */
export interface SinkSettings {
  /** The server's address, with a slash at its end. */
  url: string;
  study: string;
  participant: string;
  condition: string;
}

/** After so many milliseconds without an answer a request counts as lost. */
export const DEADLINE_MILLIS = 20_000;

export class Sink {
  readonly #settings: SinkSettings;

  constructor(settings: SinkSettings) {
    this.#settings = settings;
  }

  /** Asks for a session's token. */
  session(): Promise<Answer> {
    const { study, participant, condition } = this.#settings;
    const body = JSON.stringify({ study, participant, condition });
    return post(new URL("v1/session", this.#settings.url), body, { "Content-Type": "application/json" }, (reply) =>
      typeof reply["token"] === "string" ? { kind: "session", token: reply["token"] } : null,
    );
  }

  /** Sends one chunk of a game. */
  chunk(session: string, chunk: number, body: string, token: string): Promise<Answer> {
    const { url, study, participant } = this.#settings;
    const address = new URL(`v1/data/${study}/${participant}/${session}?chunk=${chunk}`, url);
    const headers = { "Content-Type": "application/x-ndjson", Authorization: `Bearer ${token}` };
    return post(address, body, headers, (reply) =>
      reply["chunk"] === chunk ? { kind: "stored", chunk } : null,
    );
  }
}

/** Never rejects. A success that does not say what it should is none. */
async function post(
  url: URL,
  body: string,
  headers: Record<string, string>,
  read: (reply: Record<string, unknown>) => Answer | null,
): Promise<Answer> {
  const ending = new AbortController();
  const deadline = setTimeout(() => ending.abort(), DEADLINE_MILLIS);
  try {
    const options = { method: "POST", body, headers, signal: ending.signal, credentials: "omit", cache: "no-store" } as const;
    const response = await fetch(url, options);
    const text = await response.text();
    if (!response.ok) return refusal(response, text);
    return read(asObject(text)) ?? { kind: "lost" };
  } catch {
    return { kind: "lost" };
  } finally {
    clearTimeout(deadline);
  }
}

function refusal(response: Response, text: string): Answer {
  const reply = asObject(text);
  const error = (reply["error"] ?? {}) as Record<string, unknown>;
  const { code, message } = error;
  const wanted = reply["wanted"];
  return {
    kind: "refused",
    status: response.status,
    code: typeof code === "string" ? code : "",
    message: typeof message === "string" ? message : `${response.status}`,
    wanted: typeof wanted === "number" ? wanted : null,
    retryAfterMillis: retryAfter(response.headers.get("Retry-After"), Date.now()),
  };
}

/** Retry-After in milliseconds: seconds, or a date. */
export function retryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function asObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
