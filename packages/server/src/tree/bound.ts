import { type Bound, MAX_KEY, MIN_KEY } from '@hearth/core/query/query.ts';
import { MAX_SORT_KEY_BYTES, sortKeyLength, writeSortKey } from '../kv/sort-key.ts';
import { encodeSortValue, isCutValue } from '../kv/sort-value.ts';
import { findPrefixEnd, keyAfter } from '../kv/store.ts';

const AFTER_ALL_KEYS = Buffer.from([0xff]);
const BEFORE_ALL_KEYS = Buffer.alloc(0);

/**
 * Sort bytes of a key that only bounds a range: it may be empty, longer than a key may be, or a sentinel. A bound longer
 * than any key is cut, which leaves every key on the side where it was.
 */
function sortKeyBound(key: string): Buffer {
  if (key === MIN_KEY) return BEFORE_ALL_KEYS;
  if (key === MAX_KEY) return AFTER_ALL_KEYS;
  const bytes = Buffer.allocUnsafe(sortKeyLength(key));
  writeSortKey(key, bytes, 0);
  return bytes.subarray(0, MAX_SORT_KEY_BYTES + 1);
}

/** The place in the tree table at the child `key` of the node with this prefix, or just after it. */
export function keyBoundEntry(nodePrefix: Buffer, key: string, place: 'at' | 'after'): Buffer {
  const entryKey = Buffer.concat([nodePrefix, sortKeyBound(key)]);
  return place === 'at' ? entryKey : keyAfter(entryKey);
}

/** Where a range of index entries starts, under the prefix of an index at a node. */
export function lowerIndexBound(indexPrefix: Buffer, bound: Bound | null): Buffer {
  // The prefix itself is the key of the index's state.
  if (bound === null) return keyAfter(indexPrefix);
  const value = encodeSortValue(bound.value);
  if (isCutValue(value)) return Buffer.concat([indexPrefix, value]);
  const place = Buffer.concat([indexPrefix, value, sortKeyBound(bound.key)]);
  return bound.isInclusive ? place : keyAfter(place);
}

/** Where it ends. Values that are cut to the bound's bytes are all included, and are for the caller to tell apart. */
export function upperIndexBound(indexPrefix: Buffer, bound: Bound | null): Buffer | undefined {
  if (bound === null) return findPrefixEnd(indexPrefix);
  const value = encodeSortValue(bound.value);
  if (isCutValue(value)) return findPrefixEnd(Buffer.concat([indexPrefix, value]));
  const place = Buffer.concat([indexPrefix, value, sortKeyBound(bound.key)]);
  return bound.isInclusive ? keyAfter(place) : place;
}
