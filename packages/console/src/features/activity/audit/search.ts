import { AUDIT_SERIES, type AuditFilter } from '../../../api/audit.ts';

/** Filters that are texts in the address; an empty text matches everything. */
export const AUDIT_FILTERS = ['result', 'uid', 'tenant', 'actor', 'database', 'requestId'] as const;
export type AuditFilterName = (typeof AUDIT_FILTERS)[number];

const HOUR_MS = 3_600_000;

/** Periods up to now, in ms. */
const PERIODS_MS = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
} as const;

/** The choices of the period. With `custom`, the address has the times `since` and `until`. */
export const PERIODS = ['all', '1h', '24h', '7d', '30d', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

export function periodOf(search: URLSearchParams): Period {
  return PERIODS.find((period) => period === search.get('period')) ?? 'all';
}

/** Returns a time of the address, in ms since 1970; `undefined` if it is not a valid time. */
export function parseTime(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns the filter in an address, as of `nowMs`. */
export function parseAuditSearch(search: URLSearchParams, nowMs: number): AuditFilter {
  const textOf = (name: AuditFilterName): string | undefined => search.get(name) || undefined;
  const period = periodOf(search);
  const times =
    period === 'custom'
      ? { since: parseTime(search.get('since')), until: parseTime(search.get('until')) }
      : { since: period === 'all' ? undefined : nowMs - PERIODS_MS[period] };
  return {
    event: search.get('event') || undefined,
    series: AUDIT_SERIES.find((series) => series === search.get('series')),
    ...Object.fromEntries(AUDIT_FILTERS.map((name) => [name, textOf(name)])),
    ...times,
  };
}

/** Returns a time as a field for local dates and times has it, such as `2026-11-26T09:30`; empty if there is none. */
export function printLocalTime(timeMs: number | undefined): string {
  if (timeMs === undefined) return '';
  const date = new Date(timeMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())];
  return `${day.join('-')}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns the time in a field for local dates and times, in ms since 1970; `undefined` if the field is not complete. */
export function parseLocalTime(text: string): number | undefined {
  // Browsers also accept texts in other forms.
  const timeMs = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(timeMs) || timeMs < 0 ? undefined : timeMs;
}
