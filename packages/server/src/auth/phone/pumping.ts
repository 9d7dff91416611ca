import { RecentMap } from '../../platform/recent-map.ts';

/** Number of digits that sequential numbers have in common. */
const PREFIX_LENGTH = '+'.length + 8;
/** Maximum number of different numbers with the same prefix in the window. */
const MAX_NUMBERS = 5;
const WINDOW_MS = 600_000;
/** Maximum number of prefixes to store. */
const MAX_PREFIXES = 50_000;

/**
 * Detects requests for messages to many sequential numbers. An attacker who earns a share of the cost of messages rents
 * such numbers. All counts are lost at a restart.
 */
export class SmsPumping {
  /** The latest request for each number, by project and prefix; at most `MAX_NUMBERS` numbers. */
  readonly #numbers = new RecentMap<ReadonlyMap<string, number>>(MAX_PREFIXES);

  /** Records a request. Returns false if there were too many different numbers with the same prefix. */
  isAllowed(projectId: string, phoneNumber: string, nowMs: number): boolean {
    const key = `${projectId} ${phoneNumber.slice(0, PREFIX_LENGTH)}`;
    const known = [...(this.#numbers.find(key) ?? [])].filter(([, atMs]) => nowMs - atMs < WINDOW_MS);
    const recent = new Map(known);
    if (!recent.has(phoneNumber) && recent.size >= MAX_NUMBERS) return false;
    this.#numbers.write(key, recent.set(phoneNumber, nowMs));
    return true;
  }
}
