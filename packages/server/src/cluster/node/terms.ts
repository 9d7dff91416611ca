import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import type { ChainPosition } from '../chain.ts';
import type { Slot } from '../replicated-log.ts';
import { findPosition } from './position.ts';
import type { KeyValue } from './write-set.ts';

/** The start of a term, as all nodes have read it. */
export interface Term {
  /** Chain hash after the epoch record, in hexadecimal digits. Two logs that have lost messages never share it. */
  readonly hash: string;
  /** Slot of the last valid message of the term before. */
  readonly endBefore: Slot;
}

/**
 * Key of the table `meta` for the latest terms, as JSON, the oldest first. They follow from the log, and so all nodes have
 * them in common.
 */
export const TERMS_KEY = Buffer.from('terms');

/** Maximum number of terms that a node remembers. */
export const MAX_TERMS = 256;

export function findTerms(tx: KvRead): readonly Term[] {
  const stored = tx.find('meta', TERMS_KEY);
  return stored === undefined ? [] : (JSON.parse(stored.toString()) as readonly Term[]);
}

/** Returns the terms after an epoch record, which ends at a position. `endBefore` is the slot of the record before it. */
export function addTerm(terms: readonly Term[], { hash }: ChainPosition, endBefore: Slot): readonly Term[] {
  const term = { hash: Buffer.from(hash, 'latin1').toString('hex'), endBefore };
  return [...terms, term].slice(-MAX_TERMS);
}

export function termsWrite(terms: readonly Term[]): KeyValue {
  return { table: 'meta', key: TERMS_KEY, value: Buffer.from(JSON.stringify(terms)) };
}

/**
 * Returns whether a store contains records that another one, which was read from the same log later, is not known to
 * contain. It contains them if it has the last term of the store, and the term lasted at least as long: all records of a term
 * are one chain.
 */
export function mayLackRecords(later: KvStore, store: KvStore): boolean {
  const { validSlot } = store.read(findPosition) ?? { validSlot: 0 };
  if (validSlot === 0) return false;
  const last = store.read(findTerms).at(-1);
  const terms = later.read(findTerms);
  const index = terms.findIndex(({ hash }) => hash === last?.hash);
  if (index === -1) return true;
  const end = terms[index + 1]?.endBefore ?? later.read(findPosition)?.validSlot ?? 0;
  return end < validSlot;
}
