/** What is said between the page and the worker that holds the Guide on the GPU. */

import type { Decision, DecisionMap } from "./backend";

export interface GpuCalls {
  /** `base` is the folder with gpu/; the rest are weights files. */
  open: { args: { base: string; encoder: Uint8Array; head: Uint8Array }; gives: null };
  begin: { args: { tiles: Uint8Array }; gives: null };
  step: { args: { x: number; y: number }; gives: Decision };
  map: { args: Record<string, never>; gives: DecisionMap };
}
export type GpuCall = keyof GpuCalls;
export type GpuRequest = { [C in GpuCall]: { id: number; call: C; args: GpuCalls[C]["args"] } }[GpuCall];
export type GpuReply = { id: number; value: unknown } | { id: number; error: string };
