/**
 * The journal: every line of every game, kept in IndexedDB as it comes.
 *
 * Each game has a record and its lines under its own id, so two tabs never write into one game. A game in play is
 * claimed by a Web Lock; one whose lock is taken is not offered. Where there are no Web Locks, going on with a game
 * copies it under a new id first. Nothing is deleted except by the player's own hand.
 */

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Mark } from "../saving/machine";
import type { SinkSettings } from "../saving/sink";

/** A game that was kept. */
export interface Kept {
  id: string;
  /** The journal's name, as the element has it. */
  journal: string;
  /** Games with equal keys were set up alike. */
  key: string;
  /** Milliseconds since 1970. */
  started: number;
  updated: number;
  /** In play or broken off; played to the end; laid aside for another. */
  state: "open" | "over" | "left";
  lines: number;
  /** Where the game stands, for the offer. */
  round: number;
  turns: number;
  /** Only where the page has a data sink: how far the game is saved there. */
  saving?: { sink: SinkSettings; mark: Mark };
}

interface Schema extends DBSchema {
  games: { key: string; value: Kept; indexes: { journal: string } };
  lines: { key: [id: string, n: number]; value: string };
}

const DATABASE = "tandem";

/** A claim on a game; released when the page is left, or by hand. */
interface Claim {
  release(): void;
}

export class Journal {
  readonly #db: IDBPDatabase<Schema>;

  /** Opens the journal of this origin. Rejects where the browser stores nothing. */
  static async open(): Promise<Journal> {
    const db: IDBPDatabase<Schema> = await openDB<Schema>(DATABASE, 1, {
      upgrade(db) {
        db.createObjectStore("games", { keyPath: "id" }).createIndex("journal", "journal");
        db.createObjectStore("lines");
      },
      // A later version of the page wants to change the layout: make way.
      blocking: () => db.close(),
    });
    return new Journal(db);
  }

  private constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  /** All games kept in this browser, the latest first. */
  async all(): Promise<Kept[]> {
    const games = await this.#db.getAll("games");
    return games.sort((a, b) => b.updated - a.updated);
  }

  /** All games of a journal, the latest first. */
  async games(journal: string): Promise<Kept[]> {
    const games = await this.#db.getAllFromIndex("games", "journal", journal);
    return games.sort((a, b) => b.updated - a.updated);
  }

  /** The latest unfinished game that was set up so and that no other tab plays; claimed at once. */
  async unfinished(journal: string, key: string): Promise<{ found: Unfinished | null; elsewhere: boolean }> {
    let elsewhere = false;
    for (const game of await this.games(journal)) {
      if (game.state !== "open" || game.key !== key) continue;
      const claimed = await claim(game.id);
      if (claimed) return { found: new Unfinished(this, game, claimed), elsewhere };
      elsewhere = true;
    }
    return { found: null, elsewhere };
  }

  /** Games broken off or over of which rows have not arrived at this sink, and that no other tab has; claimed at once. */
  async unsaved(journal: string, sink: SinkSettings): Promise<{ recorder: Recorder; lines: string[]; mark: Mark }[]> {
    const found = [];
    for (const game of await this.games(journal)) {
      if (game.state === "open" || !game.saving || !isSame(game.saving.sink, sink)) continue;
      const { mark } = game.saving;
      const lines = await this.lines(game.id);
      if ((mark.ends[mark.acknowledged - 1] ?? 0) >= lines.length) continue;
      const claimed = await claim(game.id);
      // Two pages that send the same chunks do no harm.
      if (claimed) found.push({ recorder: new Recorder(this.#db, game, claimed), lines, mark });
    }
    return found;
  }

  /** Begins a record of a new game. */
  async begin(journal: string, key: string): Promise<Recorder> {
    const now = Date.now();
    const id = newId();
    const game: Kept = { id, journal, key, started: now, updated: now, state: "open", lines: 0, round: 1, turns: 0 };
    return new Recorder(this.#db, game, await claim(id));
  }

  /** A game's trace, as far as its lines are whole. */
  async text(id: string): Promise<string> {
    return (await this.lines(id)).map((line) => `${line}\n`).join("");
  }

  /** A game's lines up to the first that is missing. */
  async lines(id: string): Promise<string[]> {
    const range = IDBKeyRange.bound([id, 0], [id, Infinity]);
    const reading = this.#db.transaction("lines").store;
    const [keys, lines] = await Promise.all([reading.getAllKeys(range), reading.getAll(range)]);
    const gap = keys.findIndex(([, n], index) => n !== index);
    return gap < 0 ? lines : lines.slice(0, gap);
  }

  /** Deletes a game for good. */
  async remove(id: string): Promise<void> {
    const writing = this.#db.transaction(["games", "lines"], "readwrite");
    await Promise.all([
      writing.objectStore("games").delete(id),
      writing.objectStore("lines").delete(IDBKeyRange.bound([id, 0], [id, Infinity])),
      writing.done,
    ]);
  }

  /** Records a game that goes on. Lines after `lines`, written past a gap, go. */
  async goOn(game: Kept, lines: string[], claimed: Claim | "none"): Promise<Recorder> {
    if (claimed === "none") {
      // Another tab might take up the same game: each gets a copy of its own.
      const copy = await this.begin(game.journal, game.key);
      lines.forEach((line, n) => copy.append(n, line));
      copy.stands(game.round, game.turns);
      await copy.written();
      await this.setState(game, "left");
      return copy;
    }
    await this.#db.delete("lines", IDBKeyRange.bound([game.id, lines.length], [game.id, Infinity]));
    return new Recorder(this.#db, game, claimed);
  }

  async setState(game: Kept, state: Kept["state"]): Promise<void> {
    await this.#db.put("games", { ...game, state });
  }

  close(): void {
    this.#db.close();
  }
}

/** An unfinished game, claimed until it is decided what becomes of it. */
export class Unfinished {
  constructor(
    readonly journal: Journal,
    readonly game: Kept,
    readonly claimed: Claim | "none",
  ) {}

  lines(): Promise<string[]> {
    return this.journal.lines(this.game.id);
  }

  goOn(lines: string[]): Promise<Recorder> {
    return this.journal.goOn(this.game, lines, this.claimed);
  }

  /** Keeps it among the earlier games. */
  async layAside(): Promise<void> {
    await this.journal.setState(this.game, "left");
    this.release();
  }

  /** Leaves it as it is, for another time. */
  release(): void {
    if (this.claimed !== "none") this.claimed.release();
  }
}

/** Writes one game's lines, in order and in the background. */
export class Recorder {
  /** Called when lines could not be stored; they are tried again with the next line. */
  onTrouble: ((error: unknown) => void) | null = null;
  readonly #db: IDBPDatabase<Schema>;
  readonly #claimed: Claim | "none" | null;
  #game: Kept;
  #queue: [n: number, line: string][] = [];
  #dirty = false;
  #writing: Promise<void> | null = null;

  constructor(db: IDBPDatabase<Schema>, game: Kept, claimed: Claim | "none" | null) {
    this.#db = db;
    this.#game = game;
    this.#claimed = claimed;
  }

  get id(): string {
    return this.#game.id;
  }

  append(n: number, line: string): void {
    this.#queue.push([n, line]);
    this.#game.lines = Math.max(this.#game.lines, n + 1);
    this.#flush();
  }

  /** Says where the game stands. */
  stands(round: number, turns: number): void {
    if (this.#game.round === round && this.#game.turns === turns) return;
    this.#game.round = round;
    this.#game.turns = turns;
    this.#flush();
  }

  /** The game is over. */
  finish(): void {
    this.#game.state = "over";
    this.#flush();
  }

  /** The game is laid aside for another. */
  layAside(): void {
    if (this.#game.state === "open") this.#game.state = "left";
    this.#flush();
  }

  /** The same; other tabs may have it. */
  async leave(): Promise<void> {
    this.layAside();
    await this.close();
  }

  /** How far it is saved at the data sink; null if it never was. */
  get saving(): Kept["saving"] | null {
    return this.#game.saving ?? null;
  }

  /** Keeps how far it is saved. Resolves when that and all lines so far are stored, or have failed. */
  async keepSaving(sink: SinkSettings, mark: Mark): Promise<void> {
    this.#game.saving = { sink, mark };
    this.#flush();
    await this.written();
  }

  /** Resolves when all lines so far are stored, or have failed. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Lets other tabs have the game, once all is written. */
  async close(): Promise<void> {
    await this.written();
    if (this.#claimed && this.#claimed !== "none") this.#claimed.release();
  }

  #flush(): void {
    this.#dirty = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
  }

  async #write(): Promise<void> {
    while (this.#dirty) {
      this.#dirty = false;
      await this.#writeOnce();
    }
  }

  async #writeOnce(): Promise<void> {
    const lines = this.#queue.splice(0);
    this.#game.updated = Date.now();
    try {
      const writing = this.#db.transaction(["games", "lines"], "readwrite");
      const puts = lines.map(([n, line]) => writing.objectStore("lines").put(line, [this.#game.id, n]));
      await Promise.all([...puts, writing.objectStore("games").put({ ...this.#game }), writing.done]);
    } catch (error) {
      // Without these lines the later ones are worth nothing: they go with the next attempt.
      this.#queue.unshift(...lines);
      this.onTrouble?.(error);
    }
  }
}

function isSame(one: SinkSettings, other: SinkSettings): boolean {
  const { url, study, participant, condition } = one;
  return url === other.url && study === other.study && participant === other.participant && condition === other.condition;
}

/** A name for a game that no other has; the data sink takes it too. */
export function newId(): string {
  return crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** Claims a game for this page; null if another page has it, "none" if the browser has no locks. */
function claim(id: string): Promise<Claim | "none" | null> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return Promise.resolve("none");
  return new Promise((resolve) => {
    const held = locks.request(`tandem-game-${id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((release) => resolve({ release }));
    });
    held.catch(() => resolve("none"));
  });
}
