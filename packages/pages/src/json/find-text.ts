import type { JsonRecord } from './is-record.ts';

/** The text at a name; undefined when there is none, an empty one, or something else. */
export function findText(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
