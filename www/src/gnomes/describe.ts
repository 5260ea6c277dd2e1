/** The board and what happens on it, in words: for screen readers and the live region. */

import { html, type TemplateResult } from "lit";
import type { Action, Cell, News, View, Walls } from "./types";
import { fill, type Texts } from "../texts/en";
import { inside, same, towards, wallKeys, edgeKey } from "./geometry";

export function stepNames(texts: Texts): Record<Action, string> {
  return {
    stay: texts.actionStay,
    right: texts.actionRight,
    up: texts.actionUp,
    left: texts.actionLeft,
    down: texts.actionDown,
  };
}

/** Counted from 1, as people do. */
export function cellName([x, y]: Cell, texts: Texts): string {
  return fill(texts.cell, { x: x + 1, y: y + 1 });
}

interface Drawn {
  width: number;
  height: number;
  walls: Walls;
  token: Cell | null;
  start: Cell | null;
  treasure: Cell | null;
  label: string;
}

/** The board as a table that nobody sees. */
export function boardTable(board: Drawn, texts: Texts): TemplateResult {
  const keys = wallKeys(board.walls);
  const names = stepNames(texts);
  const words = (cell: Cell) => {
    const closed = (["up", "right", "down", "left"] as const).filter((side) => {
      const border = !inside(towards(cell, side), board.width, board.height);
      return border || keys.has(edgeKey(cell, side)!);
    });
    const things = [
      same(cell, board.token) ? texts.cellToken : "",
      same(cell, board.treasure) ? texts.cellTreasure : "",
      same(cell, board.start) ? texts.cellStart : "",
      closed.length > 0 ? fill(texts.wallTo, { sides: closed.map((side) => names[side]).join(", ") }) : texts.wallNone,
    ];
    return things.filter(Boolean).join("; ");
  };
  const columns = Array.from({ length: board.width }, (_, x) => x);
  const rows = Array.from({ length: board.height }, (_, y) => y);
  return html`<div class="unseen">
    <table>
      <caption>
        ${texts.boardTable}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${columns.map((x) => html`<th scope="col">${x + 1}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (y) => html`<tr>
            <th scope="row">${y + 1}</th>
            ${columns.map((x) => html`<td>${words([x, y])}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Where the token stands and which ways are open. */
export function whereabouts(view: View, texts: Texts): string {
  const names = stepNames(texts);
  const open = view.open.filter((action) => action !== "stay").map((action) => names[action]);
  return fill(texts.whereabouts, { cell: cellName(view.token, texts), open: open.join(", ") || texts.nowhere });
}

/** What just happened, for the person at `view.seat`. Talk is read out by the chat itself. */
export function happened(news: News[], view: View, texts: Texts): string[] {
  const names = stepNames(texts);
  const own = (seat: number) => seat === view.seat;
  return news.flatMap((piece) => {
    switch (piece.kind) {
      case "moved":
        return fill(own(piece.seat) ? texts.youMoved : texts.partnerMoved, { action: names[piece.action] });
      case "stayed":
        return own(piece.seat) ? texts.youStayed : texts.partnerStayed;
      case "blocked":
        return fill(texts.blockedAction, { action: names[piece.action] });
      case "found":
        return fill(texts.found, piece);
      case "unfound":
        return fill(texts.unfound, piece);
      case "round":
        return `${fill(texts.newRound, piece)} ${own(piece.treasure_seat) ? texts.treasureYours : texts.treasureTheirs}`;
      case "over":
        return texts.gameOver;
      case "said":
        return [];
    }
  });
}
