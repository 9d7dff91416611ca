/**
 * Fills a store until a write fails and prints the results. The test that starts this program sets a limit on the file
 * size.
 */
import { LmdbStore } from './lmdb.ts';
import { StoreFull } from './store.ts';

const PAIRS_PER_TRANSACTION = 200;

using store = new LmdbStore({ directory: process.argv[2] ?? '' });
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const keyOf = (index: number): Buffer => Buffer.from(String(index).padStart(8, '0'));
let written = 0;

const fill = (): void =>
  store.transact((tx) => {
    for (let index = written; index < written + PAIRS_PER_TRANSACTION; index += 1)
      tx.put('tree', keyOf(index), Buffer.alloc(1000));
  });
const writeUntilError = (): string => {
  try {
    for (;;) {
      fill();
      written += PAIRS_PER_TRANSACTION;
    }
  } catch (error) {
    return error instanceof StoreFull ? error.name : String(error);
  }
};

print(`rejected: ${writeUntilError()}`);
print(`rejected again: ${writeUntilError()}`);
print(
  `trace of the rejected transaction: ${store.read((tx) => tx.find('tree', keyOf(written))) === undefined ? 'none' : 'some'}`,
);
print(`first pair: ${store.read((tx) => tx.find('tree', keyOf(0)))?.length === 1000 ? 'kept' : 'lost'}`);
// A removal needs a few free pages itself, so each transaction removes only one pair.
for (let index = 1; index < written / 2; index += 1) store.transact((tx) => tx.remove('tree', keyOf(index)));
fill();
print(
  `after removing: ${store.read((tx) => tx.find('tree', keyOf(written))) === undefined ? 'rejected' : 'written'}`,
);
