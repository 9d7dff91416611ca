import type { Clock } from '../ops/clock.ts';

/** Longest time for which one step keeps the event loop, in ms, give or take a piece. */
export const MAX_STEP_MS = 4;

/** Most bytes that one step makes, give or take a piece. */
export const MAX_STEP_BYTES = 512 * 2 ** 10;

export interface ReadStep {
  /** None of them is empty. */
  readonly pieces: readonly Buffer[];
  /** Was that the end? */
  readonly isLast: boolean;
}

/** Takes pieces until there are enough for one step; at least `minPieces`, whatever the clock says. */
export function takeStep(source: Iterator<Buffer>, clock: Clock, minPieces = 1): ReadStep {
  const endMs = clock.elapsedMs() + MAX_STEP_MS;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (let taken = 0; ; taken += 1) {
    const hasTime = clock.elapsedMs() < endMs;
    if (bytes >= MAX_STEP_BYTES || (taken >= minPieces && !hasTime)) return { pieces, isLast: false };
    const { value, done } = source.next();
    if (done === true) return { pieces, isLast: true };
    if (value.length > 0) pieces.push(value);
    bytes += value.length;
  }
}
