import { Refusal } from '@hearth/core/fault/refusal.ts';

/** What an administrator may set for the denial log of a database. */
export interface DenialSettings {
  readonly isOn: boolean;
  /** Most entries; 1 to `MAX_KEEP`. */
  readonly keep: number;
  /** Entries that are older are dropped; 1 to `MAX_DAYS`. */
  readonly days: number;
  /** Are values of data kept, with which drafts of rules can be tried? */
  readonly keepValues: boolean;
}

export const DEFAULT_DENIAL_SETTINGS: DenialSettings = {
  isOn: true,
  keep: 10_000,
  days: 7,
  keepValues: false,
};

const MAX_KEEP = 100_000;
const MAX_DAYS = 366;

/** Reads settings; what is not given stays as it is. Refuses with `request/malformed`. */
export function parseDenialSettings(json: unknown, present: DenialSettings): DenialSettings {
  const fields: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...present, ...json } : {};
  const { isOn, keep, days, keepValues, ...others } = fields;
  if (
    typeof isOn !== 'boolean' ||
    typeof keepValues !== 'boolean' ||
    !isCount(keep, MAX_KEEP) ||
    !isCount(days, MAX_DAYS) ||
    Object.keys(others).length > 0
  )
    throw new Refusal(
      'request/malformed',
      `The denial log has "isOn" and "keepValues", which are true or false, "keep", a whole number from 1 to ${MAX_KEEP}, and "days", one from 1 to ${MAX_DAYS}.`,
    );
  return { isOn, keep, days, keepValues };
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
}
