import { isRecord, type JsonRecord } from './is-record.ts';

/** The object at a name; undefined when there is none, or something else. */
export function findRecord(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = record[name];
  return isRecord(value) ? value : undefined;
}
