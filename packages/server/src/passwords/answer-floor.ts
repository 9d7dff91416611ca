/** So many of the latest slow verifications count. */
const REMEMBERED = 16;
/** However slow some were, a negative answer is not held back for longer. */
const MAX_FLOOR_MS = 1000;

/**
 * How long a negative answer is held back. Verifying an imported hash takes longer than verifying one of this server's own,
 * which would tell whose password is an imported one: all negative answers take as long as the slowest of the latest such.
 */
export class AnswerFloor {
  readonly #slowMs: number[] = [];

  /** Notes how long a verification took that is slower than the usual one. */
  note(durationMs: number): void {
    this.#slowMs.push(durationMs);
    if (this.#slowMs.length > REMEMBERED) this.#slowMs.shift();
  }

  /** What is left of the wait for an answer that took this long to find; 0 when there is nothing to hide. */
  remainingMs(durationMs: number): number {
    const floorMs = Math.min(Math.max(0, ...this.#slowMs), MAX_FLOOR_MS);
    return Math.max(0, floorMs - durationMs);
  }
}
