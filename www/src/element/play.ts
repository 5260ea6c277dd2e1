/**
 * One game of one element: from loading over the journal's offer to the end. It holds all state; the element only
 * shows it. A play is never used twice: other settings make another.
 */

import { Engine, EngineError, failureOf } from "../engine/client";
import type { AnyNews, AnyView, Failure, NetworkAnswer, PlayerMessage, Seat, Thought, Told } from "../engine/types";
import type { Choice, DecisionMap, Report } from "../guide";
import { Saver } from "../saving/saver";
import { Sink, type SinkSettings } from "../saving/sink";
import type { Mark, Progress } from "../saving/machine";
import { fill, type Texts } from "../texts/en";
import { checkNames, gameKey, type Attributes } from "./attributes";
import { Journal, newId, type Kept, type Recorder, type Unfinished } from "./journal";
import { Network } from "./network";
import type { TandemEventDetails } from "./public";
import type { Problem, Scene, Standing } from "./scene";
import { sceneOf } from "./scenes";

/** What the element shows. */
export type Phase =
  | { name: "loading"; done: number; total: number | null }
  /** The library is there; a network is being made ready. */
  | { name: "readying"; done: number; total: number | null }
  | { name: "wrong"; problems: Problem[] }
  | { name: "failed"; failure: Failure }
  | { name: "offer"; game: Kept }
  | { name: "playing" };

/** The element, as the play needs it. */
export interface Host {
  readonly texts: Texts;
  /** The state has changed. */
  changed(): void;
  emit<K extends keyof TandemEventDetails>(name: K, detail: TandemEventDetails[K]): void;
}

export interface PlaySettings extends Attributes {
  base: string;
  journalName: string | null;
  hostData: unknown;
  /** Lines of a game to go on with at once, without asking. */
  goOn: string[] | null;
  /** Resolves when the element's play before this one has let go of its game. */
  after: Promise<void>;
}

export class Play {
  phase: Phase = { name: "loading", done: 0, total: null };
  views: (AnyView | null)[] = [];
  news: Told[] = [];
  now = 0;
  thinking: Seat | null = null;
  thoughts: Thought[] = [];
  lines: string[] = [];
  outcome: object | null = null;
  reveal: object | null = null;
  /** Under which name the journal has this game; null where it is not kept. */
  keptAs: string | null = null;
  /** Said to the player while the game goes on. */
  warning: string | null = null;
  /** The same, while the network that an agent asks cannot be had. */
  networkWarning: string | null = null;
  paused = false;
  speed = 1;

  readonly settings: PlaySettings;
  readonly #host: Host;
  #engine: Engine | null = null;
  #network: Network | null = null;
  #backend: Choice;
  #journal: Journal | null = null;
  #recorder: Promise<Recorder> | null = null;
  #unfinished: Unfinished | null = null;
  #closed = false;
  #touched = false;
  #saver: Saver | null = null;
  /** Savers of games before this one, which still have something to send. */
  #savers: Saver[] = [];
  #told = "";

  constructor(settings: PlaySettings, host: Host) {
    this.settings = settings;
    this.#backend = settings.backend;
    this.#host = host;
  }

  /** The view that the page's person has; in watch mode seat 0's. */
  get view(): AnyView | null {
    return this.views.find((view) => view !== null) ?? null;
  }

  get scene(): Scene {
    return sceneOf(this.settings.settings.world);
  }

  /** The game as it stands, for drawing; null before the first view. */
  get standing(): Standing | null {
    const view = this.view;
    if (!view) return null;
    const { views, news, now, thinking, reveal, thoughts } = this;
    const { texts } = this.#host;
    const locked = this.outcome !== null || this.paused;
    return { view, views, news, now, thinking, locked, reveal, thoughts, texts, watch: this.settings.watch };
  }

  get seat(): Seat {
    return this.view?.seat ?? 0;
  }

  get trace(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  /** Who computes the network that an agent asks, and how it came to that; null where none asks. */
  get network(): Report | null {
    return this.#network?.report ?? null;
  }

  /** The backend that is being made ready beside the one that computes. */
  get networkPreparing(): Choice | null {
    return this.#network?.preparing ?? null;
  }

  /** What the network would say elsewhere on a board. */
  async networkMap(tiles: Uint8Array): Promise<DecisionMap> {
    if (!this.#network) throw new EngineError({ code: "over", message: "there is no game in play" });
    return this.#network.map(tiles);
  }

  /** Has another backend compute the network; the game goes on. */
  async chooseBackend(backend: Choice): Promise<void> {
    if (backend === this.#backend) return;
    this.#backend = backend;
    const weights = this.#weights;
    if (weights === null) return;
    try {
      await this.#network?.choose(backend, weights);
      this.#networkHas();
    } catch (error) {
      // The one before goes on, if there is one.
      if (!this.network) this.#networkLacks(error);
    }
  }

  get #weights(): string | null {
    return this.scene.weights?.(this.settings.settings.seats) ?? null;
  }

  /** How far the game is saved at the data sink; null without one, and before the game is worth keeping. */
  get saving(): Progress | null {
    return this.#saver?.progress ?? null;
  }

  /** Tries to save again what was refused. */
  saveAgain(): void {
    this.#saver?.retry();
  }

  get canGoOn(): boolean {
    return this.lines.length > 1 && this.outcome === null;
  }

  /** Loads, looks into the journal, and begins or asks. */
  async begin(): Promise<void> {
    try {
      const opening = this.#open();
      // Told once, below: until then nobody waits for it.
      opening.catch(() => undefined);
      await this.settings.after;
      const offer = await this.#findUnfinished();
      if (!(await opening) || this.#closed) return offer?.release();
      if (this.settings.goOn) return await this.#comeBack(this.settings.goOn, offer);
      if (!offer) return await this.#anew();
      this.#unfinished = offer;
      this.#show({ name: "offer", game: offer.game });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Takes up the game that was offered. */
  async goOn(): Promise<void> {
    const unfinished = this.#unfinished;
    if (!unfinished) return;
    try {
      const lines = await unfinished.lines();
      this.#unfinished = null;
      this.#keep(unfinished.goOn(lines));
      await this.#resume(lines);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Lays the offered or failed game aside and begins another. */
  async startAnew(): Promise<void> {
    try {
      if (this.#unfinished) await this.#layAside(this.#unfinished);
      else await this.#leave();
      this.#unfinished = null;
      this.#recorder = null;
      this.keptAs = null;
      if (!this.#engine) await this.#open();
      await this.#anew();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** After a crash: a fresh worker, and the game as its lines left it. */
  async recover(): Promise<void> {
    this.#show({ name: "loading", done: 0, total: null });
    try {
      if (await this.#open()) await this.#resume(this.lines);
    } catch (error) {
      this.#fail(error);
    }
  }

  async act(action: unknown): Promise<void> {
    this.#touch();
    await this.#running().act(this.seat, action);
  }

  async say(text: string): Promise<void> {
    this.#touch();
    await this.#running().say(this.seat, text);
  }

  async pause(): Promise<void> {
    await this.#running().pause();
    this.paused = true;
    this.#host.changed();
  }

  async go(): Promise<void> {
    await this.#running().go();
    this.paused = false;
    this.#host.changed();
  }

  async step(): Promise<void> {
    await this.#running().step();
  }

  async setSpeed(speed: number): Promise<void> {
    await this.#running().speed(speed);
    this.speed = speed;
    this.#host.changed();
  }

  /** The journal's other games. */
  async earlier(): Promise<Kept[]> {
    if (!this.#journal || this.settings.journalName === null) return [];
    const current = (await this.#recorder?.catch(() => null))?.id ?? this.#unfinished?.game.id;
    return (await this.#journal.games(this.settings.journalName)).filter((game) => game.id !== current);
  }

  /** The text of a kept game, or of the one that is offered. */
  async textOf(id: string): Promise<string> {
    return (await this.#journal?.text(id)) ?? "";
  }

  async removeKept(id: string): Promise<void> {
    this.#savers.find(({ session }) => session === id)?.close();
    await this.#journal?.remove(id);
  }

  /** Ends worker and claims; the journal keeps the game. Resolves when all is written. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#dropEngine();
    this.#unfinished?.release();
    this.#saver?.close();
    this.#savers.forEach((saver) => saver.close());
    await (await this.#recorder?.catch(() => null))?.close();
    this.#journal?.close();
  }

  /** Loads the library. False if what the attributes name is not there; the problems are shown then. */
  async #open(): Promise<boolean> {
    const opened = await Engine.open({
      base: this.settings.base,
      texts: this.#host.texts,
      onProgress: (done, total) => {
        if (this.phase.name === "loading") this.#show({ name: "loading", done, total });
      },
      onPlayer: (message) => this.#onPlayer(message),
      onCrash: (failure) => this.#fail(new EngineError(failure)),
    });
    if (this.#closed) {
      opened.engine.close();
      return false;
    }
    this.#host.emit("ready", { version: opened.version, worlds: opened.worlds });
    const problems = checkNames(this.settings.settings, opened.worlds);
    if (problems.length > 0) {
      opened.engine.close();
      this.#wrong(problems);
      return false;
    }
    this.#engine = opened.engine;
    const { engine } = opened;
    this.#network = new Network({
      base: this.settings.base,
      choice: this.#backend,
      engine,
      changed: () => this.#host.changed(),
      onBytes: (done, total) => {
        if (this.phase.name === "readying") this.#show({ name: "readying", done, total });
      },
    });
    return true;
  }

  async #findUnfinished(): Promise<Unfinished | null> {
    const name = this.settings.journalName;
    if (name === null) return null;
    try {
      this.#journal = await Journal.open();
      await this.#saveEarlier(this.#journal, name);
      const { found, elsewhere } = await this.#journal.unfinished(name, gameKey(this.settings.settings, this.settings.sink));
      if (!found && elsewhere) this.warning = this.#host.texts.offerElsewhere;
      return found;
    } catch {
      this.warning = this.#host.texts.storageRefused;
      return null;
    }
  }

  async #anew(): Promise<void> {
    const { settings, hostData } = this.settings;
    this.#clear();
    this.#show({ name: "loading", done: 0, total: null });
    await this.#readyNetwork();
    // A watched game is kept, where the page wants that, from its first line.
    if (this.settings.watch) this.#touch();
    await this.#running().play(hostData === undefined ? settings : { ...settings, host: hostData });
  }

  async #resume(lines: string[]): Promise<void> {
    this.#clear();
    this.#touched = true;
    lines.forEach((line) => this.#take(line, true));
    await this.#readyNetwork();
    await this.#running().resume(this.trace, this.settings.settings.language);
  }

  /** Fetches what a network needs before the game begins. Without it the game goes on, and the trace says so. */
  async #readyNetwork(): Promise<void> {
    const weights = this.#weights;
    if (weights === null) return;
    this.#show({ name: "readying", done: 0, total: null });
    try {
      await this.#network?.ready(weights);
      this.#networkHas();
    } catch (error) {
      this.#networkLacks(error);
    }
  }

  #networkHas(): void {
    if (this.networkWarning === null) return;
    this.networkWarning = null;
    this.#host.changed();
  }

  #networkLacks(error: unknown): void {
    // Without a game there is nothing that it lacks.
    if (this.#closed || !this.#engine) return;
    this.networkWarning = fill(this.#host.texts.networkMissing, { detail: failureOf(error).message });
    this.#host.changed();
  }

  #dropEngine(): void {
    this.#network?.close();
    this.#engine?.close();
    this.#network = this.#engine = null;
  }

  /** Goes on with lines that the element had before; in their own record if the journal has one. */
  async #comeBack(lines: string[], offer: Unfinished | null): Promise<void> {
    const kept = (await offer?.lines()) ?? [];
    if (offer && kept.length > 0 && kept.every((line, n) => line === lines[n])) this.#keep(offer.goOn(kept));
    else offer?.release();
    await this.#resume(lines);
    if (!this.#recorder) this.#beginRecord();
    else this.lines.slice(kept.length).forEach((line, n) => this.#record(kept.length + n, line));
  }

  #clear(): void {
    this.lines = [];
    this.thoughts = [];
    this.outcome = null;
    this.reveal = null;
    this.thinking = null;
    this.#touched = false;
  }

  /** The person does something for the first time: from now on the game is worth keeping. */
  #touch(): void {
    if (this.#touched) return;
    this.#touched = true;
    this.#beginRecord();
  }

  #beginRecord(): void {
    const name = this.settings.journalName;
    if (name === null || !this.#journal) return this.#save(null);
    this.#keep(this.#journal.begin(name, gameKey(this.settings.settings, this.settings.sink)));
    this.lines.forEach((line, n) => this.#record(n, line));
  }

  #keep(opening: Promise<Recorder>): void {
    this.#recorder = opening;
    opening
      .then((recorder) => {
        recorder.onTrouble = () => this.#warn(this.#host.texts.storageLost);
        this.keptAs = recorder.id;
        if (this.#recorder === opening) this.#save(recorder);
      })
      .catch(() => {
        this.#warn(this.#host.texts.storageRefused);
        if (this.#recorder === opening) this.#save(null);
      });
  }

  /** Begins to send this game's rows to the data sink, if there is one; without a journal as long as the page is open. */
  #save(recorder: Recorder | null): void {
    const { sink } = this.settings;
    if (!sink || this.#closed) return;
    this.#saver = this.#saverOf(sink, recorder, [...this.lines], () => this.#tellSaving());
    if (this.outcome) this.#saver.finish();
    this.#tellSaving();
  }

  #saverOf(sink: SinkSettings, recorder: Recorder | null, rows: string[], changed: () => void): Saver {
    const id = recorder?.id ?? newId();
    const keep = async (mark: Mark): Promise<void> => recorder?.keepSaving(sink, mark);
    return new Saver(rows, recorder?.saving?.mark ?? null, new Sink(sink), { id, keep }, changed);
  }

  /** Sends what earlier games of this journal still owe the sink, in the background. */
  async #saveEarlier(journal: Journal, name: string): Promise<void> {
    const { sink } = this.settings;
    if (!sink) return;
    for (const { recorder, lines } of await journal.unsaved(name, sink)) {
      this.#finishSaving(this.#saverOf(sink, recorder, lines, () => undefined), recorder);
    }
  }

  #finishSaving(saver: Saver, recorder: Recorder | null | undefined): void {
    this.#savers.push(saver);
    saver.leave();
    void saver.stopped.then(() => recorder?.close());
  }

  /** Keeps the offered game among the earlier ones; its rows go to the sink all the same. */
  async #layAside(unfinished: Unfinished): Promise<void> {
    const { sink } = this.settings;
    if (!sink || unfinished.claimed === "none") return unfinished.layAside();
    const lines = await unfinished.lines();
    const recorder = await unfinished.goOn(lines);
    recorder.layAside();
    this.#finishSaving(this.#saverOf(sink, recorder, lines, () => undefined), recorder);
  }

  /** Lays the game aside; what is not saved of it is sent all the same. */
  async #leave(): Promise<void> {
    const recorder = await this.#recorder?.catch(() => null);
    if (!this.#saver) return recorder?.leave();
    recorder?.layAside();
    this.#finishSaving(this.#saver, recorder);
    this.#saver = null;
  }

  #tellSaving(): void {
    const saver = this.#saver;
    if (!saver || this.#closed) return;
    const { progress } = saver;
    const told = JSON.stringify(progress);
    if (told === this.#told) return;
    this.#told = told;
    this.#host.emit("saved", { session: saver.session, ...progress });
    this.#host.changed();
  }

  #record(n: number, line: string): void {
    this.#recorder?.then((recorder) => recorder.append(n, line)).catch(() => undefined);
    this.#saver?.add(n, line);
  }

  #onPlayer(message: PlayerMessage): void {
    switch (message.type) {
      case "view":
        return this.#onView(message);
      case "thinking":
        this.thinking = message.seat;
        return this.#host.changed();
      case "line":
        return this.#take(message.line, false);
      case "over":
        return void this.#onOver(message.outcome, message.digest);
      case "ask":
        return void this.#onAsk(message);
      case "failure":
        return this.#fail(new EngineError(message.failure));
    }
  }

  /** An agent asks a network. */
  async #onAsk({ ticket, question }: PlayerMessage & { type: "ask" }): Promise<void> {
    const [engine, network] = [this.#engine, this.#network];
    const known = question.to === "network" && network !== null;
    const answer: NetworkAnswer = known ? await network.answer(question.body) : { failed: "absent" };
    if ("reply" in answer) this.#networkHas();
    // A game that is gone needs no answer.
    await engine?.answer(ticket, answer).catch(() => undefined);
  }

  #onView({ views, news, turn, now }: PlayerMessage & { type: "view" }): void {
    this.views = views;
    this.news = news;
    this.now = now;
    this.thinking = null;
    const view = this.view;
    if (view) {
      const { round, turns } = this.scene.stands(view);
      this.#recorder?.then((recorder) => recorder.stands(round, turns)).catch(() => undefined);
      this.#host.emit("view", { view, views, news, turn, now } as TandemEventDetails["view"]);
    }
    for (const { news: piece } of news) {
      if (isSaid(piece)) this.#host.emit("message", { seat: piece.seat, text: piece.text });
    }
    this.#show({ name: "playing" });
  }

  #take(line: string, kept: boolean): void {
    const entry = JSON.parse(line) as Record<string, unknown>;
    const n = Number(entry["n"]);
    this.lines[n] = line;
    if (!kept) this.#record(n, line);
    if (entry["derived"] === "thought") {
      const { seat, because, at } = entry as unknown as Thought;
      this.thoughts = [...this.thoughts, { seat, because, at: at ?? 0 }];
    }
    this.#host.emit("trace", { n, line, entry, kept });
    if (!kept) this.#host.changed();
  }

  async #onOver(outcome: object, digest: string): Promise<void> {
    this.outcome = outcome;
    this.#saver?.finish();
    this.#recorder?.then((recorder) => recorder.finish()).catch(() => undefined);
    this.#host.emit("over", { outcome, digest, trace: this.trace } as TandemEventDetails["over"]);
    try {
      this.reveal = await this.#running().reveal();
    } catch (error) {
      this.#fail(error);
    }
    this.#host.changed();
  }

  #running(): Engine {
    if (!this.#engine) throw new EngineError({ code: "over", message: "there is no game in play" });
    return this.#engine;
  }

  #show(phase: Phase): void {
    this.phase = phase;
    this.#host.changed();
  }

  #warn(text: string): void {
    this.warning = text;
    this.#host.changed();
  }

  /** Problems with attributes, of which the library found one. */
  #wrong(problems: Problem[]): void {
    this.#show({ name: "wrong", problems });
    const message = problems.map(({ attribute, value, problem }) => `${attribute}="${value}": ${problem}`).join("; ");
    const field = problems[0]?.attribute;
    this.#host.emit("failure", { code: "attribute", message, ...(field === undefined ? {} : { field }) });
  }

  #fail(error: unknown): void {
    // What fails because of a failure tells nothing new.
    if (this.#closed || (this.phase.name === "failed" && !this.#engine)) return;
    const failure = failureOf(error);
    this.#dropEngine();
    if (failure.code === "config" && this.lines.length === 0) return this.#wrong([this.#asProblem(failure)]);
    this.#show({ name: "failed", failure });
    this.#host.emit("failure", failure);
  }

  /** A setting that the library refused, under the name the page knows it by. */
  #asProblem(failure: Failure): Problem {
    const field = failure.field ?? "config";
    const seat = /^seats\[(\d+)\]/.exec(field)?.[1];
    const attribute = seat !== undefined ? this.scene.attributeOf(Number(seat)) : field.replace(/^config\./, "").replace("config", "board");
    const given = attribute === "board" ? (this.settings.settings.config as { board?: unknown } | undefined)?.board : undefined;
    const value = typeof given === "string" ? given : given === undefined ? "" : JSON.stringify(given);
    return { attribute, value, problem: failure.message, valid: fill(this.#host.texts.seeDocs, { attribute }) };
  }
}

function isSaid(piece: AnyNews): piece is AnyNews & { seat: Seat; text: string } {
  return piece.kind === "said";
}
