/**
 * All words a participant reads, in English. A page replaces any of them by the element's `texts` property;
 * `{name}` in a text is filled in by `fill`.
 */
export const en = {
  // Loading and failures
  loading: "Loading the game",
  loadingBytes: "Loading the game: {done} of {total}",
  loadingSome: "Loading the game: {done}",
  starting: "Setting the table",
  failureTitle: "The game cannot go on",
  failureLoad: "The game cannot be loaded",
  failureAttribute: "This game is not set up right",
  whatToDo: "What to do",
  details: "Technical details",
  attributeHead: "Attribute",
  problemHead: "What is wrong",
  validHead: "What it may be",
  retry: "Try again",
  goOnFromJournal: "Go on from the last move",
  dismiss: "Close",

  // Journal
  offerTitle: "You have a game that is not finished",
  offerText: "Round {round}, {turns} turns so far, last played {when}.",
  offerGoOn: "Go on",
  offerAnew: "Start anew",
  offerKept: "The old game is kept and can be downloaded.",
  offerElsewhere: "This game is open in another tab. Here a new one begins; both are kept.",
  storageRefused: "This browser does not let the page store anything: the game cannot be taken up again after closing the page. Download the trace to keep it.",
  storageLost: "The last moves could not be stored. Download the trace to keep them.",
  olderGames: "Earlier games",
  olderGame: "{when}, {lines} lines",
  download: "Download the trace",
  downloadOld: "Download",
  remove: "Delete",
  removeSure: "Delete this game for good?",
  keep: "Keep it",

  // The table
  you: "You",
  partner: "Partner",
  seat0: "Human",
  seat1: "Agent",
  yourTurn: "Your turn",
  partnerTurn: "Your partner's turn",
  thinking: "Your partner is thinking",
  gameOver: "All rounds are over",
  round: "Round {round} of {rounds}",
  turns: "{turns} turns",
  oneTurn: "1 turn",
  time: "Time",
  treasureYours: "You see the treasure. Bring the token there together.",
  treasureTheirs: "Only your partner sees the treasure. Listen to them.",
  board: "Board",
  boardOf: "Board of {seat}",
  boardTable: "The board as a table",
  actionStay: "stay",
  actionRight: "right",
  actionUp: "up",
  actionLeft: "left",
  actionDown: "down",
  cell: "Column {x}, row {y}",
  cellToken: "the token",
  cellTreasure: "the treasure",
  cellStart: "start",
  wallTo: "wall {sides}",

  // What happened
  youMoved: "You moved {action}.",
  partnerMoved: "Your partner moved {action}.",
  youStayed: "You stayed.",
  partnerStayed: "Your partner did not move.",
  blocked: "A wall is in the way: the token stays.",
  blockedAction: "There is a wall {action} of the token. The turn passes to your partner.",
  found: "Treasure found in {turns} turns.",
  unfound: "Round given up after {turns} turns.",
  newRound: "Round {round} begins. The token is back at the start.",
  partnerSaid: "Partner: {text}",
  notYourTurn: "It is your partner's turn: wait for their move.",

  // Chat
  chat: "Chat",
  chatEmpty: "Nothing said yet. Ask for a step, refuse one, or answer.",
  chatPlaceholder: "Say something to your partner",
  chatSend: "Send",
  chatLabel: "Message to your partner",
  quickWords: "Quick words",

  // Keys
  keys: "Keys",
  keysShow: "Show the keys",
  keyMove: "Arrow keys or W A S D",
  keyMoveWhat: "move the token",
  keyStay: "Space",
  keyStayWhat: "stay where you are",
  keyChat: "T or Enter",
  keyChatWhat: "write to your partner",
  keyBoard: "Escape",
  keyBoardWhat: "back to the board",
  keyHelp: "?",
  keyHelpWhat: "this list",

  // The end
  endTitle: "The game is over",
  endCompleted: "You found all {rounds} treasures together in {turns} turns.",
  endNotCompleted: "You found {found} of {rounds} treasures together.",
  endRound: "Round",
  endTurns: "Turns",
  endSeconds: "Seconds",
  endFound: "Found",
  endReward: "Reward",
  endYes: "yes",
  endNo: "no",
  endTotal: "Together",
  endChart: "Turns per round",
  endCsv: "Table as CSV",
  endBelief: "What your partner believed about your walls",
  endBeliefNote: "Your walls as they are, and the steps your partner thought you could not take.",
  endBeliefNone: "Your partner kept no belief about your walls.",
  markRight: "believed closed, and it is",
  markWrong: "believed closed, but it is open",
  markUnknown: "your wall, not known to your partner",
  playAgain: "Play again",

  // Insight
  insight: "Insight",
  insightShow: "Show the partner's thinking",
  insightHide: "Hide the partner's thinking",
  insightNone: "Nothing thought yet.",
  insightHeard: "What it heard",
  insightFlagIn: "Understood as",
  insightFlagOut: "Asks next",
  insightChosen: "Chosen step",
  insightIterations: "{n} iterations",
  insightRoot: "Own steps",
  insightReplies: "Partner's replies",
  insightTree: "Search tree",
  insightBelief: "Where it believes the treasure",
  insightHidden: "Steps it believes its partner cannot take",
  insightTrace: "Trace",
  insightAction: "Step",
  insightVisits: "Visits",
  insightValue: "Value",
  insightPrior: "Prior",
  insightLines: "{n} lines",

  // Watching
  watch: "Watch",
  watchRun: "Run",
  watchPause: "Pause",
  watchStep: "Step",
  watchSpeed: "Speed",
};

/** A table of texts; a page may give only some. */
export type Texts = typeof en;
export type TextKey = keyof Texts;

/** Puts values for `{name}` into a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
