import { RequestError } from '@hearth/core/error/request-error.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { addUnreferenced } from '../../storage/tree/garbage.ts';
import type { Database } from '../database/database.ts';
import { type ImportCounts, type ImportSource, type ImportSourceOptions, writeUnrecorded } from './import.ts';
import { ImportTestBed } from './test-bed.fixture.ts';

/** Opens import sources of one kind. */
export interface ImportSourceKind<State> {
  begin(options: ImportSourceOptions, transaction: WriteTransaction, database: Database): ImportSource<State>;
  resume(options: ImportSourceOptions, state: State): ImportSource<State>;
  /** The database after `SOURCE` is imported to the path `/here` of `BEFORE`, and the counts of the import. */
  readonly result: { readonly data: unknown; readonly counts: ImportCounts };
}

/** The database before every import. */
export const BEFORE = { here: { kept: 1, small: 'old' }, beside: true };

/** A source with a child that is stored as one entry, and one that is not. */
export const SOURCE = {
  small: { '.priority': 2, text: 'é😀\u2028' },
  large: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 'x'.repeat(200)])),
};

/** The text of the source, with a child that removes. */
const TEXT = JSON.stringify({ ...SOURCE, gone: null });

const OPTIONS: ImportSourceOptions = {
  operation: 'PUT',
  identity: ADMIN,
  areTriggersDisabled: true,
  recordWrites: writeUnrecorded,
  path: parsePath('here'),
  timeMs: 1_700_000_000_000,
};

/** Declares the tests that every import source must pass. */
export function importSourceContract<State>(name: string, kind: ImportSourceKind<State>): void {
  describe(`import source contract: ${name}`, () => {
    let bed: ImportTestBed;
    let source: ImportSource<State>;

    beforeEach(async () => {
      bed = new ImportTestBed();
      await bed.write('', BEFORE);
      source = await run((transaction, database) => kind.begin(OPTIONS, transaction, database));
    });

    afterEach(() => {
      bed.store[Symbol.dispose]();
    });

    function run<T>(body: (transaction: WriteTransaction, database: Database) => NotPromise<T>): Promise<T> {
      return bed.scheduler.request((transaction) => body(transaction, bed.databases.open('d', transaction)));
    }

    /** Passes bytes in pieces, each in its own transaction. Passes the bytes again that were not taken. */
    async function take(bytes: Buffer, bytesEach: number, resumes: boolean): Promise<void> {
      let at = 0;
      let size = bytesEach;
      while (at < bytes.length) {
        const piece = bytes.subarray(at, at + size);
        const isLast = at + piece.length === bytes.length;
        const taken = await run((transaction, database) => {
          try {
            return source.take(transaction, database, piece, isLast);
          } catch (error) {
            // An import that fails keeps its transaction, and with it the children that were merged.
            if (error instanceof RequestError) return error;
            throw error;
          }
        });
        if (taken instanceof RequestError) throw taken;
        expect(taken).toBeGreaterThanOrEqual(0);
        expect(taken).toBeLessThanOrEqual(piece.length);
        if (taken === 0 && isLast) throw new Error('The end of the source was not taken.');
        size = taken === 0 ? size * 2 : bytesEach;
        at += taken;
        if (resumes) source = kind.resume(OPTIONS, JSON.parse(JSON.stringify(source.save())) as State);
      }
    }

    async function finish(): Promise<void> {
      for (let step = 0; step < 1_000; step += 1)
        if (await run((transaction, database) => source.finish(transaction, database))) return;
      throw new Error('The import never ends.');
    }

    /** Marks the nodes that the source has built for removal, as at the end of an import. */
    async function discard(): Promise<void> {
      await run((transaction) => {
        for (const node of source.unreferenced) addUnreferenced(transaction.tx, node);
      });
    }

    /** Requires that the store has the entries of the database, and no others. */
    async function expectNothingElse(): Promise<void> {
      const other = new ImportTestBed();
      await other.write('', JSON.parse(await bed.read()));
      expect(bed.counts()).toEqual(other.counts());
      other.store[Symbol.dispose]();
    }

    test.each([
      [1_000_000, false],
      [1_000, false],
      [7, false],
      [1, false],
      [1_000, true],
      [7, true],
    ])(
      '[H222][H223] a source in pieces of %d bytes, resumed after each: %s, is imported like a whole source',
      async (bytesEach, resumes) => {
        await take(Buffer.from(TEXT), bytesEach, resumes);
        await finish();
        await discard();
        expect(JSON.parse(await bed.read())).toEqual(kind.result.data);
        expect(source.counts).toEqual(kind.result.counts);
        await expectNothingElse();
      },
    );

    test.each([
      ['in its first piece', '{"small"}', 1_000],
      ['in a later piece', `${TEXT.slice(0, -1)},`, 100],
      ['after its end', `${TEXT} 1`, 1_000],
      ['in its encoding', Buffer.from('7b2261223a22ff227d', 'hex'), 1_000],
      ['in a name', '{"a/b":1}', 1_000],
      ['in its depth', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 1_000],
    ])(
      '[H225] a source that is invalid %s is rejected, and what it built can be removed',
      async (_what, text, bytesEach) => {
        await expect(take(Buffer.from(text), bytesEach, false)).rejects.toThrow(RequestError);
        await discard();
        await expectNothingElse();
      },
    );

    test('[H222] a source that ends before its value is complete is rejected', async () => {
      await expect(take(Buffer.from(TEXT.slice(0, -1)), 1_000, false)).rejects.toThrow(RequestError);
    });

    test('[H232] an abandoned source leaves nothing behind', async () => {
      const bytes = Buffer.from(`{"a":${TEXT}`);
      await run((transaction, database) => source.take(transaction, database, bytes, false));
      source = kind.resume(OPTIONS, JSON.parse(JSON.stringify(source.save())) as State);
      await discard();
      await expectNothingElse();
    });

    test('[H224] nothing outside of the path changes', async () => {
      await take(Buffer.from(TEXT), 1_000, false);
      await finish();
      expect(await bed.read('beside')).toBe('true');
    });
  });
}
