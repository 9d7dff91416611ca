import { describe, expect, test } from 'vitest';
import { END_OF_PARTS, type ReleasableParts } from './byte-parts.ts';

/** Parts that a reader has not read yet. There is at least one. */
export interface PartsTestBed {
  readonly parts: ReleasableParts;
  /** Returns how often the resource was released. */
  readonly releases: () => number;
}

/** Declares the tests that every implementation of `ReleasableParts` must pass. */
export function releasablePartsContract(name: string, open: () => Promise<PartsTestBed>): void {
  describe(`releasable parts contract: ${name}`, () => {
    test('[H527] a part has bytes, and `return` after it releases the resource', async () => {
      const { parts, releases } = await open();
      const first = await parts.next();
      expect(first).toEqual({ done: false, value: expect.any(Buffer) });
      expect(first.value?.length).toBeGreaterThan(0);
      await parts.return();
      expect(releases()).toBe(1);
    });

    test('[H527] `return` releases the resource before the first part, and no part comes after', async () => {
      const { parts, releases } = await open();
      expect(releases()).toBe(0);
      const returned = parts.return();
      expect(releases()).toBe(1);
      expect(await returned).toEqual(END_OF_PARTS);
      expect(await parts.next()).toEqual(END_OF_PARTS);
      expect(await parts.next()).toEqual(END_OF_PARTS);
    });

    test.each<[string, (parts: ReleasableParts) => unknown]>([
      ['the server ends them', (parts) => parts.end()],
      ['the reader leaves', (parts) => parts.return()],
    ])('[H527] the resource is released immediately if %s while a part is awaited', async (_what, leave) => {
      const { parts, releases } = await open();
      await parts.next();
      const pending = parts.next();
      const left = leave(parts);
      expect(releases()).toBe(1);
      expect(await pending).toEqual(END_OF_PARTS);
      await left;
      expect(await parts.next()).toEqual(END_OF_PARTS);
    });

    test('[H527] the resource is released once, however often the parts end', async () => {
      const { parts, releases } = await open();
      parts.end();
      parts.end();
      await parts.return();
      await parts[Symbol.asyncDispose]();
      await parts.next();
      await parts.return();
      expect(releases()).toBe(1);
    });

    test('[H527] an error of the reader releases the resource, and is passed on', async () => {
      const { parts, releases } = await open();
      const failure = new Error('on purpose');
      await expect(parts.throw(failure)).rejects.toBe(failure);
      expect(releases()).toBe(1);
      expect(await parts.next()).toEqual(END_OF_PARTS);
    });

    test('[H527] leaving a loop over the parts, or a block that uses them, releases the resource', async () => {
      const looped = await open();
      for await (const part of looped.parts) {
        expect(part.length).toBeGreaterThan(0);
        break;
      }
      expect(looped.releases()).toBe(1);
      const scoped = await open();
      {
        await using parts = scoped.parts;
        await parts.next();
      }
      expect(scoped.releases()).toBe(1);
    });
  });
}
