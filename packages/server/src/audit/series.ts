import type { AuditRecord } from './entry.ts';

/**
 * The two series of an audit log. Each has its own retention, so that events of users and apps never displace events
 * of administrators.
 */
export const AUDIT_SERIES = ['users', 'administration'] as const;
export type AuditSeries = (typeof AUDIT_SERIES)[number];

/** How many entries a series keeps, and for how long. */
export interface SeriesRetention {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

export type AuditRetention = Readonly<Record<AuditSeries, SeriesRetention>>;

const DAY_MS = 86_400_000;

export const DEFAULT_RETENTION: AuditRetention = {
  users: { maxEntries: 100_000, maxAgeMs: 400 * DAY_MS },
  administration: { maxEntries: 100_000, maxAgeMs: 2_000 * DAY_MS },
};

/**
 * Events about administrators that clients without any right can cause, or that a backend causes as often as users sign
 * in.
 */
const FREQUENT: ReadonlySet<string> = new Set([
  'access_token_issued',
  'admin_refused',
  'audit_lost',
  'session_cookie_created',
  'sign_in',
]);

/** Returns the series of an entry. Rejected requests belong to `users`, because any caller can cause them. */
export function seriesOf({
  event,
  actor,
  result,
}: Pick<AuditRecord, 'event' | 'actor' | 'result'>): AuditSeries {
  return result === 'ok' && actor !== 'app' && !FREQUENT.has(event) ? 'administration' : 'users';
}

/**
 * Returns the largest limit for which the counts, each reduced to the limit if it is larger, add up to at most `total`.
 * Returns `Infinity` if the counts need no limit.
 */
export function shareOf(total: number, counts: readonly number[]): number {
  let left = total;
  const sorted = counts.toSorted((a, b) => a - b);
  for (const [index, count] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (count > share) return share;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}
