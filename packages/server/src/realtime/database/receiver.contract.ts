import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { describe, expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { LOCKED_RULES } from '../../rules/publishing/versions.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from './database.ts';
import type { Reader } from './read-checks.ts';
import { executeWrite } from './write.ts';
import { parseUpdate } from './write-input.ts';

/** An anonymous receiver that listens to the path `/a` of a database with open rules. */
export interface ReceiverTestBed {
  readonly scheduler: TransactionScheduler;
  readonly database: Database;
  readonly receiver: Receiver & Reader;
  /** Returns the texts of the messages and notifications that arrived since the last call. */
  take(): Promise<readonly string[]>;
}

/** Declares the tests that every receiver of broadcasts must pass, with and without a session. */
export function receiverContract(name: string, open: () => Promise<ReceiverTestBed>): void {
  describe(`receiver contract: ${name}`, () => {
    function write({ scheduler, database }: ReceiverTestBed, ...values: readonly unknown[]): Promise<void> {
      return scheduler.request((transaction) => {
        for (const value of values) put(transaction, database, value);
      });
    }

    /** Returns the numbers that the messages contain as values, in order. */
    async function takeValues(bed: ReceiverTestBed): Promise<readonly number[]> {
      return (await bed.take()).flatMap((text) =>
        [...text.matchAll(/"d":(\d+)/g)].map(([, value]) => Number(value)),
      );
    }

    test('[L62][L63] the messages of a transaction arrive in order, after those of earlier transactions', async () => {
      const bed = await open();
      await bed.take();
      await write(bed, 101, 102);
      await write(bed, 103);
      expect(await takeValues(bed)).toEqual([101, 102, 103]);
    });

    test('[L3][L63] the messages of a transaction that fails never arrive', async () => {
      const bed = await open();
      await bed.take();
      const failing = bed.scheduler.request((transaction) => {
        put(transaction, bed.database, 104);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow();
      await write(bed, 105);
      expect(await takeValues(bed)).toEqual([105]);
    });

    test('[L52][L63] a receiver that ended receives nothing, and leaves nothing in its database', async () => {
      const bed = await open();
      await bed.take();
      bed.receiver.end();
      bed.receiver.end();
      const ended = await bed.take();
      await expect.poll(() => bed.database.listens.count + bed.database.readers.size).toBe(0);
      await write(bed, 106);
      bed.receiver.deliver([new OutgoingMessage('{"d":107}')]);
      bed.receiver.end();
      expect((await bed.take()).length).toBeLessThanOrEqual(ended.length === 0 ? 1 : 0);
      expect(bed.database.listens.count).toBe(0);
    });

    test('[L63] a receiver that ends while a broadcast is sent gets this broadcast and no later one', async () => {
      const bed = await open();
      await bed.take();
      await bed.scheduler.request((transaction) => {
        put(transaction, bed.database, 108);
        transaction.onCommit(() => bed.receiver.end());
      });
      expect(await takeValues(bed)).toEqual([108]);
      await write(bed, 109);
      expect(await takeValues(bed)).toEqual([]);
    });

    test('[W53][H159] when rules no longer allow a read, the receiver gets no later value of it', async () => {
      const bed = await open();
      await bed.take();
      await bed.scheduler.request((transaction) => {
        bed.receiver.beginChecks?.(transaction);
        for (const check of bed.receiver.readChecks()) check(transaction);
      });
      expect(await bed.take()).toEqual([]);
      await bed.scheduler.request((transaction) => {
        put(transaction, bed.database, 110);
        bed.database.replaceRules(transaction, parseRules(LOCKED_RULES));
        put(transaction, bed.database, 111);
      });
      await write(bed, 112);
      expect(await takeValues(bed)).toEqual([110]);
      expect(bed.database.listens.count).toBe(0);
    });
  });
}

function put(transaction: WriteTransaction, database: Database, value: unknown): void {
  executeWrite(transaction, database, {
    operation: 'PUT',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), { a: value }),
  });
}
