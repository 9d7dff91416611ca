import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { type ChainPosition, FIRST_POSITION } from '../chain.ts';
import type { ChainHash } from '../message.ts';
import { putPosition } from './position.ts';
import { addTerm, findTerms, MAX_TERMS, mayLackRecords, type Term, termsWrite } from './terms.ts';
import { applyKeyValues } from './write-set.ts';

const at = (slot: number, hash = ''): ChainPosition => ({
  ...FIRST_POSITION,
  slot,
  validSlot: slot,
  hash: hash.padEnd(16) as ChainHash,
});

/** Creates a store that has read up to a slot. `terms` are the slots of epoch records, with the last slot before each. */
function storeAt(slot: number, terms: readonly (readonly [string, number])[]): MemoryStore {
  const store = new MemoryStore();
  let all: readonly Term[] = [];
  for (const [hash, endBefore] of terms) all = addTerm(all, at(0, hash), endBefore);
  store.transact((tx): void => {
    applyKeyValues(tx, [termsWrite(all)]);
    putPosition(tx, at(slot));
  });
  return store;
}

describe('[D28] a store that was read later may lack records of a store', () => {
  const later = storeAt(100, [
    ['a', 0],
    ['b', 20],
    ['c', 50],
  ]);

  test.each([
    ['that has read nothing', 0, [], false],
    [
      'within the last term',
      90,
      [
        ['a', 0],
        ['b', 20],
        ['c', 50],
      ],
      false,
    ],
    [
      'within an earlier term',
      49,
      [
        ['a', 0],
        ['b', 20],
      ],
      false,
    ],
    [
      'at the end of an earlier term',
      50,
      [
        ['a', 0],
        ['b', 20],
      ],
      false,
    ],
    [
      'after the end of a term that has lost messages',
      51,
      [
        ['a', 0],
        ['b', 20],
      ],
      true,
    ],
    [
      'after everything',
      101,
      [
        ['a', 0],
        ['b', 20],
        ['c', 50],
      ],
      true,
    ],
    [
      'of a term that it does not have',
      30,
      [
        ['a', 0],
        ['x', 20],
      ],
      true,
    ],
    ['whose term is not known', 10, [], true],
  ] as const)('%s', (_name, slot, terms, expected) => {
    expect(mayLackRecords(later, storeAt(slot, terms))).toBe(expected);
  });
});

test('[D28] a store remembers a bounded number of terms', () => {
  const terms = Array.from({ length: MAX_TERMS + 10 }, (_, index) => [String(index), index] as const);
  const stored = storeAt(1_000, terms).read(findTerms);
  expect(stored).toHaveLength(MAX_TERMS);
  expect(stored.at(-1)?.endBefore).toBe(MAX_TERMS + 9);
});
