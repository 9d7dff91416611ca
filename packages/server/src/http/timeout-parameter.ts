import { Refusal } from '@hearth/core/fault/refusal.ts';

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['min', 60_000],
]);

/** Longest time that a request may ask for, and what it gets if it does not ask, in ms. */
const MAX_TIMEOUT_MS = 15 * 60_000;

/** Reads `timeout`: `3ms`, `3s` or `3min`, up to 15 minutes. Returns ms. */
export function parseTimeout(text: string | null): number {
  if (text === null) return MAX_TIMEOUT_MS;
  const [, digits = '', unit = ''] = /^([0-9]{1,9})(ms|s|min)$/.exec(text) ?? [];
  const timeoutMs = Number(digits) * (UNITS_MS.get(unit) ?? 0);
  if (timeoutMs === 0 || timeoutMs > MAX_TIMEOUT_MS)
    throw new Refusal(
      'http/parameter',
      'The query parameter timeout is such as 500ms, 30s or 5min: at most 15min.',
    );
  return timeoutMs;
}
