import type { TokenUse } from './token-use.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long verifiers may keep what was published: what `Cache-Control` tells them. */
export const PUBLICATION_AGE_SEC = 21_600;

/** By then every verifier has asked again, even if its last answer came by way of a cache. */
const SPREAD_MS = 2 * PUBLICATION_AGE_SEC * 1_000;

/** A successor is made when a key has signed for so long; with `SPREAD_MS` no key signs for 90 days. */
const SIGNING_MS = 80 * DAY_MS;

/** How long the longest-lived token of each use is valid. */
const LIFETIME_MS: Readonly<Record<TokenUse, number>> = { idToken: HOUR_MS, sessionCookie: 14 * DAY_MS };

/** When a key begins to sign. */
export interface Scheduled {
  readonly keyId: string;
  readonly signsFromMs: number;
}

/** Keys in the order in which they sign. */
export function inOrder<K extends Scheduled>(keys: readonly K[]): readonly K[] {
  return keys.toSorted((a, b) => a.signsFromMs - b.signsFromMs || (a.keyId < b.keyId ? -1 : 1));
}

/** When a key begins to sign that is published now: at once if it is the only one, because nobody has asked before. */
export function firstSigningMs(present: readonly Scheduled[], nowMs: number): number {
  return present.length === 0 ? nowMs : nowMs + SPREAD_MS;
}

/** The key that signs: the latest that has begun, or the earliest when the clock says that none has. */
export function findCurrent<K extends Scheduled>(keys: readonly K[], nowMs: number): K | undefined {
  const ordered = inOrder(keys);
  return ordered.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? ordered[0];
}

/** Is it time to publish the next key? */
export function isSuccessorDue(keys: readonly Scheduled[], nowMs: number): boolean {
  const latest = inOrder(keys).at(-1);
  return latest === undefined || latest.signsFromMs + SIGNING_MS <= nowMs;
}

/** Keys whose last token has expired everywhere: so long after their successor began to sign. */
export function outlivedKeys<K extends Scheduled>(
  use: TokenUse,
  keys: readonly K[],
  nowMs: number,
): readonly K[] {
  const ordered = inOrder(keys);
  return ordered.filter((_, at) => {
    const successor = ordered[at + 1];
    return successor !== undefined && successor.signsFromMs + SPREAD_MS + LIFETIME_MS[use] <= nowMs;
  });
}
