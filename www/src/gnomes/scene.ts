/** Gnomes at Night on the element's table. */

import { html, nothing, type TemplateResult } from "lit";
import type { WorldInfo } from "../engine/types";
import type { Cast, Problem, Reading, Scene, Standing } from "../element/scene";
import { fill, type Texts } from "../texts/en";
import { cards } from "./cards";
import { readings } from "./readings";
import type { Because, GnomesConfig, News, View } from "./types";

export const gnomes: Scene = {
  world: "gnomes",
  asking: ["comm"],

  cast({ get, choice, board }: Reading): Cast {
    const watch = flag(get("watch"));
    const config: GnomesConfig = { board: board ?? (get("board") || "9A"), first: choice("first", ["0", "1"], "0") === "1" ? 1 : 0 };
    const human = watch ? { kind: "agent" as const, name: get("human") || "simulated" } : { kind: "human" as const };
    return { config, seats: [human, { kind: "agent", name: get("partner") || "comm" }], watch };
  },

  attributeOf: (seat) => (seat === 0 ? "human" : "partner"),

  check({ config }, { boards }: WorldInfo): Problem[] {
    const { board } = config as GnomesConfig;
    // Generated boards ("random-9x9-3") and level texts are for the library to judge.
    if (typeof board !== "string" || /[\n\r]|^random-/.test(board) || boards.some(({ name }) => name === board)) return [];
    const valid = `${boards.map(({ name }) => name).join(", ")}, or random-WIDTHxHEIGHT-SEED`;
    return [{ attribute: "board", value: board, problem: "there is no such board", valid }];
  },

  table({ view, thinking, texts, news, now, locked, thoughts }, { act, say }) {
    return html`<tandem-gnomes
      .view=${view}
      .thinking=${thinking !== null}
      .texts=${texts}
      .news=${news}
      .now=${now}
      .locked=${locked}
      .readings=${readings(thoughts)}
      @act=${(event: CustomEvent<{ action: unknown }>) => act(event.detail.action)}
      @say=${(event: CustomEvent<{ text: string }>) => say(event.detail.text)}
    ></tandem-gnomes>`;
  },

  sides(standing) {
    return html`${standing.views.map((view) => (view ? side(view as View, standing) : nothing))}`;
  },

  progress(any, texts) {
    const view = any as View;
    if (view.turn === null) return texts.gameOver;
    return `${fill(texts.round, view)} · ${view.turns === 1 ? texts.oneTurn : fill(texts.turns, view)}`;
  },

  end({ view, reveal, thoughts, watch, texts }, { again, replayHref }) {
    return html`<tandem-gnomes-end
      .view=${view}
      .reveal=${reveal}
      .because=${thoughts.findLast(({ because }) => because["hidden"] !== undefined)?.because ?? null}
      .replayHref=${replayHref}
      .texts=${watch ? watchedEnd(texts) : texts}
      @again=${again}
    ></tandem-gnomes-end>`;
  },

  cards: ({ seat, because }, view, texts) => cards(because as Because, seatName(seat, texts), view as View | null, texts),

  stands: (view) => ({ round: (view as View).round, turns: (view as View).turns }),

  describe(event, anyNews, views) {
    const news = anyNews as News[];
    if (!event) return "The start: nobody has moved yet.";
    const who = event["seat"] === 0 ? "The human" : "The agent";
    const blocked = news.some(({ kind }) => kind === "blocked");
    const found = news.find((piece) => piece.kind === "found");
    const end = found ? ` The treasure of round ${found.round} is found, in ${found.turns} turns.` : "";
    const rest = views[0]?.turn === null ? " The game is over." : "";
    if (event.event === "say") return `${who} says: “${String(event["text"])}”`;
    if (event["action"] === "stay") return `${who} stays.${end}${rest}`;
    const how = blocked ? ", but a hedge is in the way" : "";
    return `${who} ${blocked ? "tries" : "goes"} ${String(event["action"])}${how}.${end}${rest}`;
  },

  seatName,
};

/** One side of the board, with what its agent last believed. A treasure that one seat sees is shown on both sides. */
function side(view: View, { views, thoughts, texts }: Standing): TemplateResult {
  const because = thoughts.findLast(({ seat, because }) => seat === view.seat && because["belief"] !== undefined)?.because as
    Because | undefined;
  const treasure = (views as (View | null)[]).map((view) => view?.treasure).find((cell) => cell) ?? null;
  const label = fill(texts.sideOf, { seat: seatName(view.seat, texts) });
  const trail = view.history.filter((past) => past.round === view.round);
  return html`
    <figure>
      <figcaption class="seat${view.seat}">
        ${label} ${view.turn === view.seat ? html`<span class="now">${texts.toMove}</span>` : nothing}
      </figcaption>
      <tandem-gnomes-board
        .width=${view.width}
        .height=${view.height}
        .walls=${view.walls}
        .token=${view.token}
        .start=${view.start}
        .treasure=${treasure}
        .open=${view.open}
        .interactive=${false}
        .heat=${because?.belief ?? null}
        .refused=${because?.hidden ?? []}
        .texts=${texts}
        .trail=${trail.map((past) => past.to)}
        .label=${label}
      ></tandem-gnomes-board>
    </figure>
  `;
}

function seatName(seat: number, texts: Texts): string {
  return seat === 0 ? texts.seat0 : texts.seat1;
}

function flag(value: string | null): boolean {
  return value !== null && value !== "false";
}

/** The words for the end of a game that was only watched. */
function watchedEnd(texts: Texts): Texts {
  return {
    ...texts,
    endCompleted: texts.watchCompleted,
    endNotCompleted: texts.watchNotCompleted,
    endBelief: texts.watchBelief,
    endBeliefNote: texts.watchBeliefNote,
    endBeliefNone: texts.watchBeliefNone,
    markUnknown: texts.watchUnknown,
  };
}
