import type { SnapshotTable } from './before-record.ts';

/**
 * A span of time between two openings of snapshots, and what was saved in it: the state of its beginning, as far as it has
 * changed. Snapshots that were opened with no change between them begin the same generation.
 */
export interface Generation {
  readonly number: number;
  readonly bytes: number;
  /** The tables of which it has saved anything. */
  readonly tables: readonly SnapshotTable[];
}

/** Adds a record to the last generation. */
export function addSaved(
  generations: readonly Generation[],
  table: SnapshotTable,
  bytes: number,
): readonly Generation[] {
  const last = generations.at(-1);
  if (last === undefined) return generations;
  const tables = last.tables.includes(table) ? last.tables : [...last.tables, table];
  return [...generations.slice(0, -1), { number: last.number, bytes: last.bytes + bytes, tables }];
}

export function savedBytes(generations: readonly Generation[]): number {
  return generations.reduce((total, { bytes }) => total + bytes, 0);
}
