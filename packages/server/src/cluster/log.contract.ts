import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_MESSAGE_BYTES } from './message.ts';
import type { AppendOutcome, LogExtent, ReplicatedLog, Slot, StoredMessage } from './replicated-log.ts';

/** A log under test. Connections of one test bed share a log, which is empty at first. */
export interface LogTestBed extends AsyncDisposable {
  /** Connects another node to the same log. */
  connect(): Promise<ReplicatedLog>;
  /** Lets time pass, until outcomes can arrive. */
  wait(): Promise<void>;
}

/** Declares the contract tests that every replicated log must pass. `open` creates an empty log without faults. */
export function replicatedLogContract(name: string, open: () => Promise<LogTestBed>): void {
  describe(`replicated log contract: ${name}`, () => {
    let bed: LogTestBed;
    let a: ReplicatedLog;
    let b: ReplicatedLog;
    /** Slot of the last message that the tests have stored. */
    let last = 0;

    beforeAll(async () => {
      bed = await open();
      a = await bed.connect();
      b = await bed.connect();
    });
    afterAll(async () => {
      await bed[Symbol.asyncDispose]();
    });

    async function settle<T>(start: (done: (result: T) => void) => void): Promise<T> {
      const results: T[] = [];
      start((result) => results.push(result));
      expect(results, 'no result before the call returns').toEqual([]);
      for (;;) {
        const [result] = results;
        if (results.length > 0) return result as T;
        await bed.wait();
      }
    }
    const append = (log: ReplicatedLog, expectedLast: Slot, text: string): Promise<AppendOutcome> =>
      settle((done) => log.append(expectedLast, Buffer.from(text), done));
    async function store(log: ReplicatedLog, text: string): Promise<void> {
      expect(await append(log, last, text)).toEqual({ kind: 'stored' });
      last += 1;
    }
    const readOnce = (log: ReplicatedLog, from: Slot, max = 100): Promise<readonly StoredMessage[]> =>
      settle((done) => log.read(from, max, done));
    /** Reads until the log shows a number of messages. */
    async function read(
      log: ReplicatedLog,
      from: Slot,
      count: number,
      max?: number,
    ): Promise<readonly string[]> {
      for (;;) {
        const messages = await readOnce(log, from, max);
        expect(messages.length).toBeLessThanOrEqual(count);
        if (messages.length === count) return messages.map(({ slot, message }) => `${slot}:${message}`);
      }
    }

    test('[D1] an empty log has no messages', async () => {
      expect(await readOnce(a, 1)).toEqual([]);
      expect(await settle<LogExtent | undefined>((done) => a.extent(done))).toEqual({
        first: 1,
        last: 0,
        bytes: 0,
      });
    });

    test('[D1] an append to another slot than the next is rejected, and stores nothing', async () => {
      expect(await append(a, 5, 'early')).toMatchObject({ kind: 'rejected' });
      await store(a, 'one');
      expect(await append(a, 0, 'again')).toMatchObject({ kind: 'rejected' });
      expect(await append(a, 2, 'gap')).toMatchObject({ kind: 'rejected' });
      expect(await read(a, 1, 1)).toEqual(['1:one']);
    });

    test('[D1] messages fill the slots in order, for every connection', async () => {
      await store(b, 'two');
      await store(a, 'three');
      for (const log of [a, b]) expect(await read(log, 1, 3)).toEqual(['1:one', '2:two', '3:three']);
      expect(await settle<LogExtent | undefined>((done) => b.extent(done))).toMatchObject({
        first: 1,
        last: 3,
      });
    });

    test('[D1] of two appends to one slot, one is stored', async () => {
      const outcomes = await Promise.all([append(a, last, 'from a'), append(b, last, 'from b')]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['rejected', 'stored']);
      last += 1;
      const winner = outcomes[0]?.kind === 'stored' ? 'from a' : 'from b';
      expect(await read(a, last, 1)).toEqual([`${last}:${winner}`]);
    });

    test('[D1] appends in flight are stored in the order in which one connection sent them', async () => {
      const texts = ['p1', 'p2', 'p3', 'p4'];
      const outcomes = await Promise.all(texts.map((text, index) => append(a, last + index, text)));
      expect(outcomes).toEqual(texts.map(() => ({ kind: 'stored' })));
      const from = last + 1;
      last += texts.length;
      expect(await read(b, from, 4)).toEqual(texts.map((text, index) => `${from + index}:${text}`));
    });

    test('[D1] a read begins at its slot and ends at its limit', async () => {
      expect(await read(a, 2, 2, 2)).toEqual(['2:two', '3:three']);
      expect(await readOnce(a, last + 1)).toEqual([]);
      expect(await readOnce(a, last + 1)).toEqual([]);
      expect(await readOnce(a, last + 1)).toEqual([]);
      expect(await readOnce(a, last + 1)).toEqual([]);
    });

    test('[D1] a message of the greatest length is read back', async () => {
      const message = Buffer.alloc(MAX_MESSAGE_BYTES, 0xe9);
      expect(await settle<AppendOutcome>((done) => a.append(last, message, done))).toEqual({
        kind: 'stored',
      });
      last += 1;
      const [stored] = await readOnce(b, last);
      expect(stored?.message.equals(message)).toBe(true);
    });

    test('[D25] messages before a slot are removed, and never the last one', async () => {
      const extent = (): Promise<LogExtent | undefined> => settle((done) => b.extent(done));
      const before = await extent();
      expect(await settle<boolean>((done) => a.trim(3, done))).toBe(true);
      expect(await read(b, 1, last - 2, last)).toMatchObject({ 0: '3:three' });
      const after = await extent();
      expect(after).toMatchObject({ first: 3, last });
      expect(after?.bytes).toBeLessThan(before?.bytes ?? 0);
      await settle<boolean>((done) => a.trim(last + 5, done));
      expect((await extent())?.first).toBe(last);
      await store(a, 'after');
      expect(await read(b, last, 1)).toEqual([`${last}:after`]);
    });

    test('[D1] subscribers receive what is published until they unsubscribe', async () => {
      const received: string[] = [];
      const unsubscribe = a.subscribe((bytes) => received.push(`first ${bytes}`));
      b.subscribe((bytes) => received.push(`second ${bytes}`));
      while (received.length < 2) {
        // The subscription may not have reached the other server yet.
        received.length = 0;
        b.publish(Buffer.from('hello'));
        for (let round = 0; round < 20 && received.length < 2; round++) await bed.wait();
      }
      expect(received.toSorted()).toEqual(['first hello', 'second hello']);
      unsubscribe();
      received.length = 0;
      b.publish(Buffer.from('later'));
      while (!received.includes('second later')) await bed.wait();
      expect(received).not.toContain('first later');
    });
  });
}
