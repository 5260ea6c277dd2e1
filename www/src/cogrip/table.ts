/** `<tandem-cogrip>`: a person's place at the table, as the Guide or as the Follower. */

import { html, LitElement, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { newsFor } from "../element/told";
import { placeStyles } from "../element/table-styles";
import type { Told } from "../engine/types";
import { en, fill, type Texts } from "../texts/en";
import { COLORS, swatch } from "./art";
import { shownPieces, thirds, TILE, trailOf } from "./geometry";
import { GUIDE_KEYS, intents } from "./intents";
import { statusLine } from "./status";
import { tableStyles } from "./table-styles";
import { talk, type Puzzle } from "./talk";
import { followerSees, guideSees } from "./sees";
import type { Act, Action, FollowerSees, GuideSees, News, View } from "./types";
import { areaNames, boardWords, colorNames, endedWords, happened, pieceName, tileName, underWords } from "./words";

const NOTE_MILLIS = 6000;

const FOLLOWER_KEYS: Record<string, Act> = {
  ArrowRight: "right", ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down",
  d: "right", w: "up", a: "left", s: "down", " ": "take", Enter: "take", ".": "wait", x: "wait",
};

export class TandemCogrip extends LitElement {
  static override styles = [placeStyles, tableStyles];
  static override properties = {
    view: { attribute: false },
    texts: { attribute: false },
    news: { attribute: false },
    now: { type: Number },
    locked: { type: Boolean },
  };

  declare view: View | null;
  declare texts: Texts;
  declare news: Told<News>[];
  /** Milliseconds of the session when the view came. */
  declare now: number;
  /** Nothing can be done: the clock stands. */
  declare locked: boolean;
  #came = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #keysShown = false;
  #note = "";
  #spoken = "";
  /** The last thing that happened to the gripper, in words. */
  #last = "";
  #puzzles: Puzzle[] = [];

  constructor() {
    super();
    this.view = null;
    this.locked = false;
    this.texts = en;
    this.news = [];
    this.now = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticking = setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
    clearTimeout(this.#noteTimer);
    this.#note = "";
  }

  focusBoard(): void {
    this.renderRoot.querySelector<HTMLElement>(".board")?.focus();
  }

  get #mine(): boolean {
    return this.view !== null && this.view.turn === this.view.seat && !this.locked;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const view = this.view;
    if (!view) return;
    if (changed.has("view")) this.#came = performance.now();
    if (changed.has("news") && this.news.length > 0) this.#hear(newsFor(this.news, view.seat), view);
  }

  protected override updated(): void {
    const log = this.renderRoot.querySelector(".log");
    if (log) log.scrollTop = log.scrollHeight;
  }

  #hear(news: News[], view: View): void {
    const words = happened(news, view, this.texts);
    if (words.length > 0) this.#spoken = [...words, underWords(view, this.texts)].join(" ");
    // A Follower knows where it went, but not why it stayed.
    const gripper = news.find(({ kind }) => kind === "moved" || kind === "stayed");
    if (gripper) this.#last = view.seat === 1 && gripper.kind === "moved" ? "" : (happened([gripper], view, this.texts)[0] ?? "");
    for (const piece of news) {
      if (piece.kind === "not_understood") {
        this.#puzzles = [...this.#puzzles, { round: view.round, step: view.step, text: piece.text, answer: piece.answer }];
      }
    }
    const ended = news.find((piece) => piece.kind === "ended");
    const round = news.find((piece) => piece.kind === "round");
    if (!ended || !round) return;
    this.#last = "";
    this.#note = `${endedWords(ended, this.texts)}\n${fill(this.texts.gripNewRound, round)}`;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => {
      this.#note = "";
      this.requestUpdate();
    }, NOTE_MILLIS);
  }

  protected override render(): TemplateResult | typeof nothing {
    const view = this.view;
    if (!view) return nothing;
    const clock = this.now + (this.locked ? 0 : performance.now() - this.#came);
    const [guide, follower] = [guideSees(view), followerSees(view)];
    return html`
      ${statusLine(view, { clock, texts: this.texts })}
      <div class=${`sides ${guide ? "guide" : "follower"}`}>
        <div class="field">
          ${this.#bubble(view)} ${this.#boardBox(view, guide, follower)} ${this.#below(view)}
        </div>
        <div class="panel">
          ${guide ? this.#guidePanel(guide) : nothing} ${follower ? this.#where(view, follower) : nothing}
          ${talk(view, this.#puzzles, this.texts)} ${follower ? this.#colors() : nothing}
        </div>
      </div>
      <p class="unseen" role="status">${this.#spoken}</p>
    `;
  }

  /** What the Guide says now; its place is always there. */
  #bubble(view: View): TemplateResult {
    const { texts } = this;
    const mine = view.seat === 0;
    const last = view.history.at(-1);
    // A Guide's own words stay until the next ones; a Follower waits for the Guide's.
    const said = view.heard ?? (mine && last?.round === view.round ? last.sentence : null);
    const words = said || (said === "" ? texts.gripSilence : "…");
    return html`
      <div class=${`speech ${mine ? "mine" : "theirs"}`}>
        <span class="who">${mine ? texts.you : texts.gripGuide}</span>
        ${said !== null || mine
          ? html`<p class=${`bubble now ${mine ? "mine" : "theirs"} ${said ? "" : "quiet"}`} part="said">${words}</p>`
          : html`<p class="bubble now theirs dots" aria-label=${texts.gripNotYet}><i></i><i></i><i></i></p>`}
      </div>
    `;
  }

  #boardBox(view: View, guide: GuideSees | null, follower: FollowerSees | null): TemplateResult {
    const label = boardWords(view, this.texts);
    return html`
      <div class="boardbox">
        <div class="board" tabindex="0" role="application" aria-label=${label} @keydown=${this.#onKey}>
          <tandem-cogrip-board
            exportparts="board"
            .size=${view.size}
            .pieces=${guide ? shownPieces(guide.pieces, guide.target) : []}
            .cut=${follower?.cut ?? null}
            .gripper=${view.gripper}
            .trail=${trailOf(view)}
            .sight=${guide !== null}
            .interactive=${follower !== null}
            .ready=${this.#mine}
            .readable=${true}
            .label=${label}
            .texts=${this.texts}
            @step=${(event: CustomEvent<{ act: Act }>) => this.#do({ do: event.detail.act })}
          ></tandem-cogrip-board>
          ${this.#note ? html`<p class="note" part="note">${this.#note}</p>` : nothing}
        </div>
        ${this.#keysShown ? this.#keys(view) : nothing}
      </div>
    `;
  }

  #below(view: View): TemplateResult {
    const { texts } = this;
    const act = (words: string, act: Act) =>
      html`<button type="button" class="small" ?disabled=${!this.#mine} @click=${() => this.#do({ do: act })}>${words}</button>`;
    return html`
      <div class="below">
        <p class="hint">${this.#hint(view)}</p>
        ${view.seat === 1 ? html`${act(texts.gripTake, "take")} ${act(texts.gripWait, "wait")}` : nothing}
        <button type="button" class="small help" aria-label=${texts.keysShow} aria-expanded=${this.#keysShown}
          @click=${() => this.#showKeys(!this.#keysShown)}>?</button>
      </div>
    `;
  }

  /** One line of what just happened or what to do; it never changes its height. */
  #hint(view: View): string {
    if (view.turn === null) return this.texts.gripOver;
    if (view.step === 0) return view.seat === 0 ? this.texts.gripGuideHint : this.texts.gripFollowerHint;
    if (view.seat === 1) return this.#last || underWords(view, this.texts);
    return [this.#last, underWords(view, this.texts)].filter(Boolean).join(" ");
  }

  #guidePanel(guide: GuideSees): TemplateResult {
    const { texts } = this;
    const target = guide.pieces[guide.target];
    return html`
      ${target
        ? html`<p class="goal"><svg class="swatch big" viewBox="0 0 28 28" aria-hidden="true">${swatch(target.color)}</svg>
            <span><b>${texts.gripTargetHead}: ${pieceName({ ...target, area: target.position }, texts)}</b> <small>${texts.gripTargetNote}</small></span></p>`
        : nothing}
      ${intents(guide, this.#mine, (intent) => this.#do({ say: intent }), texts)}
      <form @submit=${this.#send}>
        <input type="text" autocomplete="off" enterkeyhint="send" maxlength="300" aria-label=${texts.gripFree}
          placeholder=${texts.gripFreePlaceholder} ?disabled=${this.locked} @keydown=${this.#onInputKey} />
        <button class="main" part="button" ?disabled=${!this.#mine}>${texts.gripFreeSend}</button>
      </form>
    `;
  }

  /** The board from afar, with the gripper on it and what it sees. */
  #where(view: View, { area, cut }: FollowerSees): TemplateResult {
    const { texts } = this;
    const names = areaNames(texts);
    const starts = thirds(view.size);
    const all = view.size * TILE;
    const half = cut.length >> 1;
    const [x, y] = view.gripper;
    const cell = tileName(view.gripper, texts);
    const ends = [starts[1], starts[2], view.size];
    const fields = starts.flatMap((top, row) =>
      starts.map((left, column) => {
        const name = names[row * 3 + column] ?? "";
        const [wide, high] = [ends[column]! - left, ends[row]! - top];
        const lines = name.split(" ");
        return svg`<rect class=${name === area ? "third here" : "third"} x=${left * TILE + 4} y=${top * TILE + 4} width=${wide * TILE - 8} height=${high * TILE - 8} rx="14" />
          ${lines.map((line, at) => svg`<text x=${(left + wide / 2) * TILE} y=${(top + high / 2) * TILE + 18 + (at - (lines.length - 1) / 2) * 56} text-anchor="middle">${line}</text>`)}`;
      }),
    );
    const points = trailOf(view).map(([x, y]) => `${x * TILE + TILE / 2} ${y * TILE + TILE / 2}`);
    return html`
      <section class="where">
        <svg class="map" viewBox="-6 -6 ${all + 12} ${all + 12}" role="img" aria-label=${fill(texts.gripMapLabel, { area, cell })}>
          ${fields}
          ${points.length > 1 ? svg`<path class="trail" d="M${points.join("L")}" />` : nothing}
          <rect class="sight" x=${(x - half) * TILE} y=${(y - half) * TILE} width=${cut.length * TILE} height=${cut.length * TILE} rx="16" />
          <g transform="translate(${x * TILE + TILE / 2} ${y * TILE + TILE / 2})"><circle class="spot" r="22" /><circle class="spot dot" r="7" /></g>
        </svg>
        <p><small>${texts.gripYouAreAt}</small> <b>${area}</b> <span class="soft">${cell}</span></p>
      </section>
    `;
  }

  #colors(): TemplateResult {
    const names = colorNames(this.texts);
    return html`<ul class="colors" aria-label=${this.texts.gripColors}>
      ${COLORS.map((color) => html`<li><svg class="swatch" viewBox="0 0 28 28" aria-hidden="true">${swatch(color)}</svg> ${names[color]}</li>`)}
    </ul>`;
  }

  #keys(view: View): TemplateResult {
    const { texts } = this;
    const rows = (view.seat === 0 ? texts.gripKeysGuide : texts.gripKeysFollower).split("\n").map((row) => row.split(": "));
    return html`
      <div class="keys" role="dialog" aria-label=${texts.keys} @keydown=${this.#onKeysKey}>
        <h3>${texts.keys}</h3>
        <dl>${rows.map(([keys, ...what]) => html`<dt>${keys}</dt><dd>${what.join(": ")}</dd>`)}</dl>
        ${view.seat === 1 ? html`<p>${texts.gripKeysTouch}</p>` : nothing}
        <button type="button" class="small" @click=${() => this.#showKeys(false)}>${texts.dismiss}</button>
      </div>
    `;
  }

  async #showKeys(shown: boolean): Promise<void> {
    this.#keysShown = shown;
    this.requestUpdate();
    await this.updateComplete;
    if (shown) this.renderRoot.querySelector<HTMLElement>(".keys button")?.focus();
    else this.focusBoard();
  }

  #onKeysKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" && event.key !== "?") return;
    event.preventDefault();
    void this.#showKeys(false);
  }

  /** The board has the focus: these keys are ours, and the page must not scroll by them. */
  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = this.view.seat === 0 ? said(key) : did(key);
    if (action) {
      if (!event.repeat) this.#do(action);
    } else if (this.view.seat === 0 && (key === "Enter" || key === "t")) {
      this.renderRoot.querySelector("input")?.focus();
    } else if (key === "?") {
      void this.#showKeys(true);
    } else return;
    event.preventDefault();
  }

  /** Keys typed here are words; Escape goes back to the board. */
  #onInputKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.focusBoard();
  }

  #send(event: Event): void {
    event.preventDefault();
    const input = this.renderRoot.querySelector("input");
    if (!input?.value.trim()) return;
    if (!this.#mine) return this.#wait();
    this.#hand("say", { text: input.value.trim() });
    input.value = "";
  }

  #do(action: Action): void {
    if (this.locked || !this.view) return;
    if (this.#mine) this.#hand("act", { action });
    else this.#wait();
  }

  #wait(): void {
    this.#spoken = this.texts.gripNotYourTurn;
    this.requestUpdate();
  }

  #hand(name: "act" | "say", detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function said(key: string): Action | null {
  const intent = GUIDE_KEYS[key];
  return intent ? { say: intent } : null;
}
function did(key: string): Action | null {
  const act = FOLLOWER_KEYS[key];
  return act ? { do: act } : null;
}
