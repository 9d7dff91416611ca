import { Refusal } from '@hearth/core/fault/refusal.ts';

/** What an administrator may set for the recording of operations of a database. */
export interface RecordingSettings {
  readonly isOn: boolean;
  /** Which part of all operations is recorded, by chance: 0 to 1. */
  readonly share: number;
}

/** Reads settings; what is not given stays as it is. Refuses with `request/malformed`. */
export function parseRecordingSettings(json: unknown, present: RecordingSettings): RecordingSettings {
  const fields: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...present, ...json } : {};
  const { isOn, share, ...others } = fields;
  if (
    typeof isOn !== 'boolean' ||
    typeof share !== 'number' ||
    !(share >= 0 && share <= 1) ||
    Object.keys(others).length > 0
  )
    throw new Refusal(
      'request/malformed',
      'The recording has "isOn", which is true or false, and "share", a number from 0 to 1.',
    );
  return { isOn, share };
}
