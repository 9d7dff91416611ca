import * as database from 'firebase/database';
import { onTestFinished } from 'vitest';

declare module '@firebase/database' {
  /** Test hook of the SDK: replaces the hash of every compare-and-set; returns the function that ends it. */
  export function _TEST_ACCESS_hijackHash(newHash: () => string): () => void;
}

/** Makes every transaction of this runtime send the given hash until the running test ends. */
export function hijackHash(hash: string): void {
  const restore = database._TEST_ACCESS_hijackHash(() => hash);
  onTestFinished(restore);
}
