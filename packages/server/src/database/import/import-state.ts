import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type JsonPosition, JsonRefusal } from '../../tree/json-position.ts';

/**
 * What becomes of a source: it replaces what is at its place, all at once; its children replace those of the same names,
 * one after the other; or it is compared with what is there, and nothing is changed.
 */
export const IMPORT_MODES = ['replace', 'merge', 'compare'] as const;

export type ImportMode = (typeof IMPORT_MODES)[number];

/** Numbers of leaves for a comparison, of children for a merge. */
export type ImportCounts = Readonly<Record<string, number>>;

/** An import as its client sees it. */
export interface ImportState {
  readonly id: string;
  readonly path: string;
  readonly mode: ImportMode;
  readonly status: 'open' | 'done' | 'failed';
  /** Bytes of the source that were taken in for good: the next ones start here. */
  readonly offset: number;
  /** CRC-32 of these bytes, by which a client knows its source again. */
  readonly crc32: number;
  readonly counts: ImportCounts;
  /** Why it has failed. */
  readonly error?: string;
  /** Where in the source. */
  readonly position?: JsonPosition;
}

/** A request does not go with where an import stands. */
export class ImportConflict extends Refusal {
  readonly state: ImportState;

  constructor(sentence: string, state: ImportState) {
    super('import/conflict', sentence);
    this.name = 'ImportConflict';
    this.state = state;
  }
}

/** Why an import has failed, as it is remembered. */
export interface ImportFailure {
  readonly sentence: string;
  readonly position?: JsonPosition;
}

export function importFailure(refusal: Refusal): ImportFailure {
  const { message } = refusal;
  return refusal instanceof JsonRefusal
    ? { sentence: message, position: refusal.position }
    : { sentence: message };
}
