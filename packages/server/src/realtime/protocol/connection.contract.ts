import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Connection } from './connection.ts';
import type { ConnectionSettings } from './websocket-connection.ts';

/** A connection and its client. */
export interface ConnectionTestBed extends AsyncDisposable {
  readonly connection: Connection;
  /** Reads until the client has received `count` messages or the connection is closed. Returns all messages. */
  receive(count: number): Promise<readonly string[]>;
  /** Reads until the client sees that the connection is closed. Returns all messages. */
  receiveAll(): Promise<readonly string[]>;
  /** Sends one message from the client to the server. */
  send(): Promise<void>;
  /** Resolves when the server has noticed that the client has left or has been disconnected. */
  readonly ended: Promise<void>;
  /** Leaves without reading anything more. */
  leave(): void;
}

const FULL_BYTES = 100_000;
const MAX_BYTES = 2_000_000;
const MAX_UNITS = 1_000_000;

/**
 * Declares the tests that every connection to a client must pass. The client reads only in `receive` and
 * `receiveAll`.
 */
export function connectionContract(
  name: string,
  open: (settings: ConnectionSettings) => Promise<ConnectionTestBed>,
): void {
  describe(`connection contract: ${name}`, () => {
    let settings: ConnectionSettings;
    let bed: ConnectionTestBed;

    beforeEach(async () => {
      settings = {
        maxMessageUnits: MAX_UNITS,
        sendBuffer: { maxBytes: MAX_BYTES, fullBytes: FULL_BYTES },
        messages: openTestPool(),
      };
      bed = await open(settings);
    });

    afterEach(async () => {
      await bed[Symbol.asyncDispose]();
    });

    /** Delivers messages until the connection is full. Returns the messages. */
    function fill(): readonly string[] {
      const sent: string[] = [];
      while (!bed.connection.isFull) {
        const text = message(sent.length, 50_000);
        sent.push(text);
        bed.connection.deliver([new OutgoingMessage(text)]);
        if (sent.length > 10_000) throw new Error('The connection is never full.');
      }
      return sent;
    }

    test('[W173] messages of one delivery and of several arrive in order, and each message arrives once', async () => {
      const sent = Array.from({ length: 30 }, (_, index) => message(index));
      bed.connection.deliver([]);
      bed.connection.deliver(sent.slice(0, 10).map((text) => new OutgoingMessage(text)));
      for (const text of sent.slice(10)) bed.connection.deliver([new OutgoingMessage(text)]);
      expect(await bed.receive(sent.length)).toEqual(sent);
    });

    test.each([
      ['as long as a frame', 'x'.repeat(16_384)],
      ['longer than a frame', 'x'.repeat(16_385)],
      ['far longer than the send buffer', 'x'.repeat(3 * MAX_BYTES)],
      ['with characters of every length', 'aé€😀\u2028</script>"\\'.repeat(5_000)],
      ['with half a surrogate pair at the end of a frame', `${'x'.repeat(16_300)}${'😀'.repeat(100)}`],
      ['that is empty', ''],
    ])('[W173][W118] a message %s arrives unchanged', async (_what, text) => {
      const sent = [JSON.stringify({ text }), message(1)];
      bed.connection.deliver(sent.map((each) => new OutgoingMessage(each)));
      expect(await bed.receive(2)).toEqual(sent);
    });

    test('[W173] a connection that the server closes ends after its last message has arrived', async () => {
      const sent = [message(0, 200_000), message(1)];
      for (const text of sent) bed.connection.deliver([new OutgoingMessage(text)]);
      bed.connection.close();
      bed.connection.close();
      expect(await bed.receiveAll()).toEqual(sent);
    });

    test('[W173] a message that is delivered after the connection was closed does not arrive, and no method throws', async () => {
      bed.connection.deliver([new OutgoingMessage(message(0))]);
      bed.connection.close();
      bed.connection.deliver([new OutgoingMessage(message(1))]);
      bed.connection.pause();
      bed.connection.resume();
      expect(await bed.receiveAll()).toEqual([message(0)]);
      await expect.poll(() => bed.connection.peerAddress).toBeNull();
      bed.connection.deliver([new OutgoingMessage(message(2))]);
      bed.connection.close();
      expect(bed.connection.isFull).toBe(false);
    });

    test('[L64] a connection is full while its client does not read, and drains when the client does', async () => {
      const drained = Promise.withResolvers<boolean>();
      bed.connection.onDrained({ drained: () => drained.resolve(bed.connection.isFull) });
      expect(bed.connection.isFull).toBe(false);
      const sent = fill();
      expect(settings.messages.usage.used).toBeGreaterThan(FULL_BYTES);
      expect(await bed.receive(sent.length)).toEqual(sent);
      expect(await drained.promise).toBe(false);
      expect(bed.connection.isFull).toBe(false);
    });

    test('[L66][W150] a client that reads nothing is disconnected when too much data waits for it', async () => {
      const text = message(0, 500_000);
      for (let count = 0; count < 100; count += 1) bed.connection.deliver([new OutgoingMessage(text)]);
      await bed.ended;
      bed.leave();
      await expect.poll(() => settings.messages.usage.used).toBe(0);
    });

    test('[W173] the send buffer of a connection is released when its client leaves', async () => {
      fill();
      bed.leave();
      await bed.ended;
      await expect.poll(() => settings.messages.usage.used).toBe(0);
      bed.connection.deliver([new OutgoingMessage(message(0))]);
      expect(settings.messages.usage.used).toBe(0);
    });

    test('[H436] the bytes of a connection are counted in both directions, and for a database from `countIn` on', async () => {
      const traffic = { sentBytes: 0, receivedBytes: 0 };
      bed.connection.deliver([new OutgoingMessage(message(0, 1_000))]);
      await bed.receive(1);
      const before = bed.connection.sentBytes;
      expect(before).toBeGreaterThanOrEqual(1_000);
      bed.connection.countIn(traffic);
      bed.connection.deliver([new OutgoingMessage(message(1, 1_000))]);
      await bed.send();
      await bed.receive(2);
      expect(bed.connection.sentBytes - before).toBeGreaterThanOrEqual(1_000);
      expect(bed.connection.receivedBytes).toBeGreaterThan(0);
      expect(traffic.sentBytes).toBeGreaterThanOrEqual(1_000);
      expect(traffic.sentBytes).toBeLessThan(2_000);
      expect(traffic.receivedBytes).toBeGreaterThan(0);
    });
  });
}

/** Returns a message with a number, of about this length. */
function message(number: number, length = 0): string {
  return JSON.stringify({ number, padding: 'x'.repeat(length) });
}
