/** The neural Guide of the reference game for whoever drives it: `guide.js` beside the element. */

export type { Backend, Choice, Decision, DecisionMap } from "./backend";
export { Desk, type DeskOptions, type GuideQuestion, type GuideReply } from "./desk";
export { openGpu, probeGpu, type GpuOptions } from "./gpu";
export { Guide, type GuideOptions, type Report } from "./guide";
