import { describe, expect, test } from 'vitest';
import type { ConnectionSource } from './connections.ts';

/** A provider of connections that has none yet. */
export interface ConnectionSourceTestBed {
  readonly source: ConnectionSource;
  /** Connects a client that listens to the path `/rooms` of a database. Resolves when the client listens. */
  connect(database: string, userAgent: string): Promise<void>;
  /** Resolves when the server has executed everything that clients have sent. */
  settle(): Promise<void>;
}

const ALL = 1_000;

/** Declares the tests that every provider of connections must pass. */
export function connectionSourceContract(name: string, open: () => Promise<ConnectionSourceTestBed>): void {
  describe(`connection source contract: ${name}`, () => {
    /** Connects three clients to `one`, and one client to `other` between them. */
    async function openConnected(): Promise<ConnectionSourceTestBed> {
      const bed = await open();
      for (const database of ['one', 'other', 'one', 'one'])
        await bed.connect(database, `agent of ${database}`);
      return bed;
    }

    function idsOf(
      { source }: ConnectionSourceTestBed,
      database: string,
      after = 0,
      limit = ALL,
    ): readonly number[] {
      return source.list(database, after, limit).map(({ id }) => id);
    }

    test('[H430] the connections of a database are listed by ascending id, page by page', async () => {
      const bed = await openConnected();
      const ids = idsOf(bed, 'one');
      expect(ids).toHaveLength(3);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set([...ids, ...idsOf(bed, 'other')]).size).toBe(4);
      const [first = 0, second = 0] = ids;
      expect(idsOf(bed, 'one', 0, 2)).toEqual([first, second]);
      expect(idsOf(bed, 'one', first, 1)).toEqual([second]);
      expect(idsOf(bed, 'one', 0, 0)).toEqual([]);
      expect(idsOf(bed, 'one', ids.at(-1))).toEqual([]);
      expect(idsOf(bed, 'none')).toEqual([]);
    });

    test('[H431] a connection is found as it is listed, in its database only', async () => {
      const { source, ...bed } = await openConnected();
      for (const listed of source.list('one', 0, ALL)) {
        expect(source.find('one', listed.id)).toEqual(listed);
        expect(source.find('other', listed.id)).toBeUndefined();
        expect(listed).toMatchObject({ userAgent: 'agent of one', listens: 1, pendingDisconnects: 0 });
        expect(listed.sentBytes).toBeGreaterThanOrEqual(0);
      }
      await bed.settle();
      for (const id of [0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER]) {
        expect(source.find('one', id)).toBeUndefined();
        expect(source.listens('one', id, ALL)).toEqual([]);
        expect(source.end('one', id)).toBe(false);
      }
      expect(source.list('one', 0, ALL)).toHaveLength(3);
    });

    test('[H431] a long user agent is cut to 256 characters', async () => {
      const bed = await open();
      await bed.connect('one', 'x'.repeat(1_000));
      expect(bed.source.list('one', 0, ALL)[0]?.userAgent).toBe('x'.repeat(256));
    });

    test('[H432] the listens of a connection are returned, at most as many as requested', async () => {
      const bed = await openConnected();
      const [id = 0] = idsOf(bed, 'one');
      expect(bed.source.listens('one', id, ALL)).toEqual([{ path: '/rooms', query: null }]);
      expect(bed.source.listens('one', id, 0)).toEqual([]);
      expect(bed.source.listens('other', id, ALL)).toEqual([]);
    });

    test('[H433] a connection that is ended is no longer listed, and the others stay', async () => {
      const bed = await openConnected();
      const [first = 0, ended = 0, last = 0] = idsOf(bed, 'one');
      expect(bed.source.end('other', ended)).toBe(false);
      expect(bed.source.end('one', ended)).toBe(true);
      await expect.poll(() => idsOf(bed, 'one')).toEqual([first, last]);
      expect(bed.source.end('one', ended)).toBe(false);
      expect(bed.source.listens('one', ended, ALL)).toEqual([]);
      expect(idsOf(bed, 'other')).toHaveLength(1);
    });
  });
}
