import type { AccountFilter } from '../../api/accounts.ts';

export const STATES = ['enabled', 'disabled', 'verified', 'unverified'] as const;
export const SEEN = ['1d', '7d', '30d', 'not30d', 'not90d', 'not365d', 'never'] as const;

/** The filter of the account list as the user chose it, and as the address has it. */
export interface ChosenFilter {
  readonly state?: (typeof STATES)[number];
  readonly provider?: string;
  /** `name` or `name=value`. */
  readonly claim?: string;
  readonly seen?: (typeof SEEN)[number];
}

export const FILTER_NAMES = [
  'state',
  'provider',
  'claim',
  'seen',
] as const satisfies readonly (keyof ChosenFilter)[];

const MAX_TEXT = 256;

/** Reads the filter from the parameters of the address. Unknown values are ignored. */
export function parseChosen(parameters: URLSearchParams): ChosenFilter {
  const state = STATES.find((known) => known === parameters.get('state'));
  const seen = SEEN.find((known) => known === parameters.get('seen'));
  const provider = textOf(parameters.get('provider'));
  const claim = textOf(parameters.get('claim'));
  return {
    ...(state === undefined ? {} : { state }),
    ...(provider === undefined ? {} : { provider }),
    ...(claim === undefined ? {} : { claim }),
    ...(seen === undefined ? {} : { seen }),
  };
}

function textOf(text: string | null): string | undefined {
  return text?.trim().slice(0, MAX_TEXT) || undefined;
}

/** Returns the address with another filter. */
export function withChosen(before: URLSearchParams, chosen: ChosenFilter): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const name of FILTER_NAMES) {
    const value = chosen[name]?.trim();
    if (value === undefined || value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

export function isFiltered(chosen: ChosenFilter): boolean {
  return FILTER_NAMES.some((name) => chosen[name] !== undefined);
}

const DAY_MS = 86_400_000;

/** Returns the filter of a request. Periods end at `nowMs`. */
export function filterOf({ seen, ...others }: ChosenFilter, nowMs: number): AccountFilter {
  if (seen === undefined) return others;
  if (seen === 'never') return { ...others, seen };
  const days = Number.parseInt(seen.replace('not', ''), 10);
  const boundMs = nowMs - days * DAY_MS;
  return seen.startsWith('not') ? { ...others, seenTo: boundMs } : { ...others, seenFrom: boundMs };
}
