/** Spans of time as people read them. */

/** Minutes and seconds. */
export function minutes(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
