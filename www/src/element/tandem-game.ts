/** `<tandem-game>`: shows one play, and hands on what the person does. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { failureOf } from "../engine/client";
import type { AnyView, Failure } from "../engine/types";
import type { Choice } from "../guide";
import { en, type Texts } from "../texts/en";
import { tokens } from "../look/tokens";
import { savingLine, savingPanel } from "../saving/panel";
import { savingStyles } from "../saving/styles";
import { ATTRIBUTES, GAME_ATTRIBUTES, readAttributes, type AttributeName, type Attributes } from "./attributes";
import { save } from "./files";
import { loadFonts } from "./fonts";
import type { Kept } from "./journal";
import { earlierGames, failurePanel, loadingPanel, offerPanel, problemsPanel, readyingPanel, button } from "./panels";
import { Play, type Host } from "./play";
import type { TandemEventDetails } from "./public";
import type { Deeds, Problem } from "./scene";
import { sceneOf } from "./scenes";
import { styles } from "./styles";
import { watchTable } from "./watch";

/** The folder that this script came from, where worker.js and wasm/ lie as well. In two steps, or Vite would inline it. */
const HERE: string = import.meta.url;
const HOME = new URL(".", HERE).href;

interface Focusable extends HTMLElement {
  focusBoard(): void;
}

export class TandemGame extends LitElement implements Host {
  static override styles = [tokens, styles, savingStyles];
  static override properties = {
    boardSource: { attribute: false, noAccessor: true },
    texts: { attribute: false, noAccessor: true },
    hostData: { attribute: false },
  };
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...ATTRIBUTES];
  }

  hostData: unknown = undefined;
  #texts: Texts = en;
  #boardSource: string | object | null = null;
  #play: Play | null = null;
  #attributes: Attributes | null = null;
  #problems: Problem[] = [];
  #insightOpen = false;
  #restart = false;
  /** The play before this one, until it has let go of its game. */
  #closing: Promise<void> = Promise.resolve();
  /** Lines to go on with when the element comes back into a page. */
  #left: string[] | null = null;
  #earlier: Kept[] | null = null;
  #sure: string | null = null;

  get boardSource(): string | object | null {
    return this.#boardSource;
  }
  set boardSource(source: string | object | null) {
    this.#boardSource = source;
    this.#renew();
  }

  get texts(): Texts {
    return this.#texts;
  }
  set texts(texts: Partial<Texts>) {
    this.#texts = { ...en, ...texts };
    this.requestUpdate();
  }

  get view(): AnyView | null {
    return this.#play?.view ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved within the page: the game runs on.
    if (!this.#play) this.#renew();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (this.isConnected || !this.#play) return;
      this.#left = this.#play.canGoOn ? this.#play.lines : null;
      this.#closing = this.#play.close();
      this.#play = null;
    });
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (old === value || (name === "role" && firstWord(old) === firstWord(value))) return;
    if ((GAME_ATTRIBUTES as readonly string[]).includes(name)) this.#renew();
    else if ((ATTRIBUTES as readonly string[]).includes(name)) this.#readAgain();
  }

  async act(action: unknown): Promise<void> {
    await this.#running((play) => play.act(action));
  }
  async say(text: string): Promise<void> {
    await this.#running((play) => play.say(text));
  }
  async pause(): Promise<void> {
    await this.#running((play) => play.pause());
  }
  async go(): Promise<void> {
    await this.#running((play) => play.go());
  }
  async step(): Promise<void> {
    await this.#running((play) => play.step());
  }
  async setSpeed(speed: number): Promise<void> {
    await this.#running((play) => play.setSpeed(speed));
  }

  trace(): string {
    return this.#play?.trace ?? "";
  }

  download(): void {
    save(this.trace(), this.#fileName(), "application/jsonl");
  }

  override focus(options?: FocusOptions): void {
    const table = this.renderRoot.querySelector<Focusable>(".stage > *");
    if (table && "focusBoard" in table) table.focusBoard();
    else super.focus(options);
  }

  changed(): void {
    this.requestUpdate();
  }

  emit<K extends keyof TandemEventDetails>(name: K, detail: TandemEventDetails[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Begins another game once all attributes of this moment are set. */
  #renew(): void {
    if (this.#restart) return;
    this.#restart = true;
    queueMicrotask(() => {
      this.#restart = false;
      if (this.isConnected) this.#begin();
    });
  }

  #read(): Attributes {
    const { attributes, problems } = readAttributes((name: AttributeName) => this.#given(name), this.#boardSource);
    if (attributes.insight !== this.#attributes?.insight) this.#insightOpen = attributes.insight === "open";
    this.#attributes = attributes;
    this.#problems = problems;
    this.requestUpdate();
    return attributes;
  }

  /** What was changed needs no other game. */
  #readAgain(): void {
    const { backend } = this.#read();
    void this.#play?.chooseBackend(backend);
  }

  /** `role` may say more after the game's role: see `updated`. */
  #given(name: AttributeName): string | null {
    const value = this.getAttribute(name);
    return name === "role" ? firstWord(value) : value;
  }

  #begin(): void {
    const attributes = this.#read();
    const goOn = this.#left;
    this.#left = null;
    if (this.#play) this.#closing = this.#play.close();
    this.#play = null;
    this.#earlier = null;
    if (this.#problems.length > 0) return this.#reportProblems();
    const base = this.#base();
    if (base === null) return this.#reportProblems();
    loadFonts(base);
    const journalName = attributes.journal === "" ? this.#ownName() : attributes.journal;
    const play = new Play({ ...attributes, base, journalName, hostData: this.hostData, goOn, after: this.#closing }, this);
    this.#play = play;
    void play.begin();
  }

  #base(): string | null {
    const value = this.getAttribute("base");
    if (!value) return HOME;
    try {
      return new URL(value.endsWith("/") ? value : `${value}/`, document.baseURI).href;
    } catch {
      this.#problems.push({ attribute: "base", value, problem: "not an address", valid: "the folder with worker.js" });
      return null;
    }
  }

  /** The journal's name where the page gives none: the page, and which of its games this is. */
  #ownName(): string {
    const which = this.id || [...document.querySelectorAll("tandem-game")].indexOf(this as never);
    return `${location.pathname}#${which}`;
  }

  #reportProblems(): void {
    const message = this.#problems.map(({ attribute, value, problem }) => `${attribute}="${value}": ${problem}`);
    this.emit("failure", { code: "attribute", message: message.join("; ") });
    this.requestUpdate();
  }

  async #running(deed: (play: Play) => Promise<void>): Promise<void> {
    if (!this.#play) throw { code: "over", message: "there is no game in play" };
    try {
      await deed(this.#play);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** What the person did at the table. What the rules refuse changes nothing and needs no words. */
  #person(deed: (play: Play) => Promise<void>): void {
    this.#running(deed).catch((failure) => console.debug("tandem:", failure));
  }

  #fileName(): string {
    const { world, board } = this.view ?? { world: "game", board: "" };
    const moment = new Date().toISOString().slice(0, 16).replace(":", "-");
    return `tandem-${world}-${board.replace(/[^\w-]+/g, "_")}-${moment}.jsonl`;
  }

  protected override updated(_: PropertyValues): void {
    if (!this.#attributes) return;
    this.dataset["theme"] = this.#attributes.theme;
    // `role` is also what assistive technology reads, of several the first that it knows.
    const role = this.getAttribute("role");
    const { roles } = sceneOf(this.#attributes.settings.world);
    if (role && roles?.includes(role)) this.setAttribute("role", `${role} group`);
  }

  protected override render(): TemplateResult {
    const play = this.#play;
    if (this.#problems.length > 0) return this.#frame(problemsPanel(this.texts, this.#problems));
    if (!play) return this.#frame(loadingPanel(this.texts, 0, null));
    switch (play.phase.name) {
      case "loading":
        return this.#frame(loadingPanel(this.texts, play.phase.done, play.phase.total));
      case "readying":
        return this.#frame(readyingPanel(this.texts, play.phase.done, play.phase.total));
      case "wrong":
        return this.#frame(problemsPanel(this.texts, play.phase.problems));
      case "failed":
        return this.#frame(
          failurePanel(this.texts, play.phase.failure, {
            retry: () => this.#begin(),
            goOn: canGoOn(play.phase.failure) && play.canGoOn ? () => void play.recover() : null,
            startAnew: play.phase.failure.code === "load" ? null : () => void play.startAnew(),
            download: play.lines.length > 0 ? () => this.download() : null,
          }),
        );
      case "offer": {
        const { game } = play.phase;
        return this.#frame(
          offerPanel(this.texts, game, {
            goOn: () => void play.goOn(),
            startAnew: () => void play.startAnew(),
            download: () => void this.#downloadKept(play, game),
          }),
        );
      }
      case "playing":
        return this.#frame(this.#table(play), this.#bar(play), this.#insight(play));
    }
  }

  #frame(stage: TemplateResult, bar: unknown = nothing, insight: unknown = nothing): TemplateResult {
    const warnings = [this.#play?.warning, this.#play?.networkWarning].filter(Boolean);
    return html`
      <div class="frame" part="frame">
        ${warnings.map((warning) => html`<p class="warning" part="warning" role="status">${warning}</p>`)}
        <div class="stage" part="stage">${stage}</div>
        ${insight} ${bar}
      </div>
    `;
  }

  #table(play: Play): TemplateResult {
    const standing = play.standing;
    if (!standing) return loadingPanel(this.texts, 0, null);
    const deeds: Deeds = {
      act: (action) => this.#person((play) => play.act(action)),
      say: (text) => this.#person((play) => play.say(text)),
      again: () => void play.startAnew(),
      replayHref: this.#replayHref(play),
    };
    if (play.outcome && play.reveal) return html`${this.#saved(play)}${play.scene.end(standing, deeds)}`;
    return play.settings.watch ? watchTable(play, standing) : play.scene.table(standing, deeds);
  }

  /** After the game: what is saved. Nothing where the page has no data sink. */
  #saved(play: Play): unknown {
    if (!play.saving) return nothing;
    return savingPanel(this.texts, play.saving, { download: () => this.download(), retry: () => play.saveAgain() });
  }

  /** The page that the attribute `replay` names, opened on this game. */
  #replayHref(play: Play): string | null {
    const page = this.getAttribute("replay");
    if (!page || play.keptAs === null) return null;
    const url = new URL(page, document.baseURI);
    url.hash = `journal=${play.keptAs}`;
    return /^https?:$/.test(url.protocol) ? url.href : null;
  }

  #bar(play: Play): TemplateResult {
    const insight = this.#attributes?.insight !== "off";
    const toggle = () => {
      this.#insightOpen = !this.#insightOpen;
      this.requestUpdate();
    };
    const { saving } = play;
    const atEnd = saving !== null && play.outcome !== null && play.reveal !== null;
    return html`
      <div class="bar" part="bar">
        ${atEnd ? nothing : button(this.texts.download, () => this.download())}
        ${play.settings.journalName === null
          ? nothing
          : html`<details @toggle=${(event: Event) => this.#toggleEarlier(event, play)}>
              <summary>${this.texts.olderGames}</summary>
              ${this.#earlierList(play)}
            </details>`}
        ${saving && !atEnd ? savingLine(this.texts, saving) : nothing}
        <span class="gap"></span>
        ${insight
          ? html`<button type="button" part="button" aria-expanded=${this.#insightOpen} @click=${toggle}>
              ${this.#insightOpen ? this.texts.insightHide : this.texts.insightShow}
            </button>`
          : nothing}
      </div>
    `;
  }

  #insight(play: Play): unknown {
    if (!this.#insightOpen || this.#attributes?.insight === "off") return nothing;
    return html`<tandem-insight
      part="insight"
      .thoughts=${play.thoughts}
      .lines=${[...play.lines]}
      .view=${play.view}
      .world=${play.scene.world}
      .beside=${this.#network(play)}
      .guarded=${play.outcome === null && !play.settings.watch}
      .texts=${this.texts}
    ></tandem-insight>`;
  }

  #network(play: Play): unknown {
    const [{ network: report, networkPreparing: preparing, standing }, { network: shown }] = [play, play.scene];
    if (!report || !standing || !shown) return nothing;
    // The attribute tells the play.
    const choose = (backend: Choice) => this.setAttribute("backend", backend);
    return shown.call(play.scene, standing, { report, preparing, map: (tiles) => play.networkMap(tiles), choose });
  }

  #earlierList(play: Play): unknown {
    const games = this.#earlier;
    if (games === null) return nothing;
    if (games.length === 0) return html`<p class="small">${this.texts.olderNone}</p>`;
    const ask = (id: string | null) => {
      this.#sure = id;
      this.requestUpdate();
    };
    return earlierGames(this.texts, games, this.#sure, ask, {
      download: (game) => void this.#downloadKept(play, game),
      remove: (game) => void play.removeKept(game.id).then(() => this.#lookUpEarlier(play)),
    });
  }

  #toggleEarlier(event: Event, play: Play): void {
    if ((event.target as HTMLDetailsElement).open) void this.#lookUpEarlier(play);
  }

  async #lookUpEarlier(play: Play): Promise<void> {
    this.#earlier = await play.earlier();
    this.#sure = null;
    this.requestUpdate();
  }

  async #downloadKept(play: Play, game: Kept): Promise<void> {
    const started = new Date(game.started).toISOString().slice(0, 16).replace(":", "-");
    save(await play.textOf(game.id), `tandem-${play.scene.world}-${started}.jsonl`, "application/jsonl");
  }
}

function firstWord(value: string | null): string | null {
  return value?.trim().split(/\s+/)[0] ?? null;
}

/** Whether the lines may do better in a fresh worker. */
function canGoOn(failure: Failure): boolean {
  return failure.code !== "trace" && failure.code !== "load";
}
