/** CoGRIP-GL on the element's table. */

import { html, nothing } from "lit";
import type { SeatSetup, WorldInfo } from "../engine/types";
import type { Cast, Problem, Reading, Scene } from "../element/scene";
import { fill, type Texts } from "../texts/en";
import type { Choice } from "../guide/backend";
import { cards } from "./cards";
import { shownPieces } from "./geometry";
import type { SeenBoard } from "./guide-map";
import { guideSees } from "./sees";
import { stepNow } from "./status";
import type { Because, CogripConfig, News, Reveal, View } from "./types";
import { describe } from "./words";

const ROLES = ["follower", "guide", "watch"] as const;
/** The agent that asks a network. */
const LEARNED = "ppo";
/** Whom the network was trained with, where the page does not say and a person follows. */
const USUAL_FOLLOWER = "eager-0.95";
/** The paper's. */
const PHIS = ["0.75", "0.85", "0.90", "0.95", "0.97", "0.99"] as const;
const FOLLOWERS = ["cautious", "eager"];
const TRAINED = FOLLOWERS.flatMap((name) => PHIS.map((phi) => `${name}-${phi}`));
const MOST_ROUNDS = 100;
const PACE = 400;

export const cogrip: Scene = {
  world: "cogrip",
  roles: ROLES,

  cast({ get, choice, number, board }: Reading): Cast {
    const watched = get("watch") !== null && get("watch") !== "false";
    const role = choice("role", ROLES, watched ? "watch" : "follower");
    const given = typeof board === "object" && board !== null ? JSON.stringify(board) : board;
    const config: CogripConfig = { board: given ?? (get("board") || "random"), rounds: number("rounds", MOST_ROUNDS, "rounds") ?? 1 };
    const person: SeatSetup = { kind: "human" };
    const phi = Number(choice("phi", [...PHIS, "0.9"], "0.95"));
    const follower: SeatSetup = { kind: "agent", name: get("follower") || "eager", config: { phi } };
    const guide: SeatSetup = { kind: "agent", name: get("guide") || "heuristic" };
    if (guide.name === LEARNED) {
      const partner = role === "watch" && FOLLOWERS.includes(follower.name) ? weightsName(follower.name, phi) : USUAL_FOLLOWER;
      const [name, number] = choice("trained-with", TRAINED, partner).split("-") as [string, string];
      guide.config = { follower: name, phi: Number(number) };
    }
    const seats = [role === "guide" ? person : guide, role === "follower" ? person : follower];
    return { config, seats, watch: role === "watch", pace: PACE };
  },

  weights([guide]) {
    if (guide?.kind !== "agent" || guide.name !== LEARNED) return null;
    const { follower, phi } = guide.config as { follower: string; phi: number };
    return weightsName(follower, phi);
  },

  attributeOf: (seat) => (seat === 0 ? "guide" : "follower"),

  check({ config }, { boards }: WorldInfo): Problem[] {
    const { board, rounds } = config as CogripConfig;
    const problems: Problem[] = [];
    // Boards that are numbered, drawn by lot or given whole are for the library to judge.
    if (!/^(\{|random|test-|val-|train-)/.test(board.trimStart()) && !boards.some(({ name }) => name === board)) {
      const names = boards.map(({ name }) => name).filter((name) => !/^(random|test-)/.test(name));
      const valid = `${names.join(", ")}, random, random-SIZE-PIECES, test-NUMBER, val-NUMBER, train-NUMBER, or a line of a task file`;
      problems.push({ attribute: "board", value: board, problem: "there is no such board", valid });
    }
    if (rounds < 1) problems.push({ attribute: "rounds", value: String(rounds), problem: "too few", valid: `1 to ${MOST_ROUNDS}` });
    return problems;
  },

  table({ view, texts, news, now, locked }, { act, say }) {
    return html`<tandem-cogrip
      .view=${view}
      .texts=${texts}
      .news=${news}
      .now=${now}
      .locked=${locked}
      @act=${(event: CustomEvent<{ action: unknown }>) => act(event.detail.action)}
      @say=${(event: CustomEvent<{ text: string }>) => say(event.detail.text)}
    ></tandem-cogrip>`;
  },

  sides({ views, thoughts, texts }) {
    const learned = thoughts.some(({ because }) => because.agent === LEARNED);
    return html`${(views as (View | null)[]).map((view) => {
      if (!view) return nothing;
      // Before its first step an agent has thought nothing in this round.
      const thought = view.step > 0 || (view.seat === 0 && view.heard !== null);
      const because = thought ? (thoughts.findLast(({ seat }) => seat === view.seat)?.because as Because | undefined) : undefined;
      return html`<figure>
        <figcaption class="seat${view.seat}">
          ${view.seat === 0 ? texts.gripSightGuide : texts.gripSightFollower} ${view.turn === view.seat ? html`<span class="now">${texts.toMove}</span>` : nothing}
        </figcaption>
        <tandem-cogrip-side .view=${view} .because=${because ?? null} .mind=${true} .learned=${learned && view.seat === 0} .texts=${texts}></tandem-cogrip-side>
      </figure>`;
    })}`;
  },

  progress(any, texts) {
    const view = any as View;
    if (view.turn === null) return texts.gripOver;
    const round = view.rounds > 1 ? `${fill(texts.gripRound, view)} · ` : "";
    return `${round}${fill(texts.gripStep, stepNow(view))} · ${fill(texts.gripEffort, { effort: view.effort.toFixed(1) })}`;
  },

  end({ view, reveal, texts }, { again, replayHref }) {
    return html`<tandem-cogrip-end .view=${view} .reveal=${reveal} .replayHref=${replayHref} .texts=${texts} @again=${again}></tandem-cogrip-end>`;
  },

  network({ view, views, reveal, texts }, { report, preparing, map, choose }) {
    return html`<tandem-cogrip-network
      .report=${report}
      .preparing=${preparing}
      .board=${seenBoard(views as (View | null)[], reveal as Reveal | null)}
      .asked=${map}
      .round=${(view as View).round}
      .texts=${texts}
      @backend=${(event: CustomEvent<{ choice: Choice }>) => choose(event.detail.choice)}
    ></tandem-cogrip-network>`;
  },

  cards: ({ seat, because }, _, texts) => cards(because as Because, seatName(seat, texts), texts),

  stands: (view) => ({ round: (view as View).round, turns: (view as View).step }),

  describe: (event, news, views) => describe(event, news as News[], views as View[]),

  seatName,
};

/** The whole board, if it may be looked at: by way of the Guide's seat, or because the game is over. */
function seenBoard(views: (View | null)[], reveal: Reveal | null): SeenBoard | null {
  if (reveal) return { size: reveal.size, pieces: shownPieces(reveal.pieces, reveal.target), gripper: reveal.gripper };
  const view = views[0];
  const guide = view && guideSees(view);
  return guide ? { size: view.size, pieces: shownPieces(guide.pieces, guide.target), gripper: view.gripper } : null;
}

function weightsName(follower: string, phi: number): string {
  return `${follower}-${phi.toFixed(2)}`;
}

function seatName(seat: number, texts: Texts): string {
  return seat === 0 ? texts.gripGuide : texts.gripFollower;
}
