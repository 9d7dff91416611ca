import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parsePath } from '@hearth/core/tree/path.ts';
import { setPush } from '@hearth/core/wire/server-messages.ts';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../access/principal.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { EventStream } from './event-stream.ts';

const MAX_BYTES = 100_000;

/** Opens the socket of a client that reads only when `takeAll` is called. */
function openSlowSocket(): { readonly socket: Socket; takeAll(): Promise<void> } {
  const sent: (() => void)[] = [];
  const socket = Object.assign(new Socket(), {
    _write: (_chunk: unknown, _encoding: string, callback: () => void) => void sent.push(callback),
    _writev: (_chunks: unknown, callback: () => void) => void sent.push(callback),
  });
  return {
    socket,
    async takeAll() {
      do {
        for (const callback of sent.splice(0)) callback();
        await new Promise(setImmediate);
      } while (sent.length > 0);
    },
  };
}

function openSlowStream({ socket, takeAll } = openSlowSocket()): {
  readonly stream: EventStream;
  takeAll(): Promise<void>;
  readonly response: ServerResponse;
  readonly messages: ResourcePool;
  /** Number of calls to `markClosed`. */
  readonly closings: () => number;
} {
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  const messages = openTestPool(10 * MAX_BYTES);
  let closings = 0;
  const stream = new EventStream({
    id: 1,
    response,
    database: 'demo',
    traffic: { sentBytes: 0, receivedBytes: 0 },
    checkedUntilMs: Number.POSITIVE_INFINITY,
    request: { identity: ANONYMOUS, path: parsePath('a'), query: null, form: 'plain' },
    settings: {
      clock: { nowMs: () => 0, elapsedMs: () => 0 },
      sendBuffer: { maxBytes: MAX_BYTES, fullBytes: MAX_BYTES },
      messages,
      listens: openTestPool(),
      addressOf: () => '192.0.2.1',
      networkOf: () => '192.0.2.1',
    },
    markClosed: () => {
      closings++;
    },
  });
  stream.begin(new OutgoingMessage('null'));
  return { stream, takeAll, response, messages, closings: () => closings };
}

function push(length: number): readonly OutgoingMessage[] {
  return [new OutgoingMessage(setPush('a', JSON.stringify('x'.repeat(length))))];
}

test('[H163] a client with too much waiting data is disconnected, and its memory is released', async () => {
  const { stream, response, messages, closings } = openSlowStream();
  stream.deliver(push(MAX_BYTES));
  expect([response.destroyed, messages.usage.used > MAX_BYTES]).toEqual([false, true]);
  stream.deliver(push(MAX_BYTES));
  expect(response.destroyed).toBe(true);
  await new Promise(setImmediate);
  expect([closings(), messages.usage.used]).toEqual([1, 0]);
});

test('[H163] a client that reads all data stays connected', async () => {
  const { stream, takeAll, response, messages } = openSlowStream();
  for (let i = 0; i < 5; i++) {
    stream.deliver(push(MAX_BYTES));
    await takeAll();
    stream.keepAlive();
    await takeAll();
  }
  expect([response.destroyed, messages.usage.used]).toEqual([false, 0]);
});

test('[H163] a client that reads nothing between two keep-alive events is disconnected', async () => {
  const { stream, takeAll, response } = openSlowStream();
  await takeAll();
  stream.keepAlive();
  stream.keepAlive();
  expect(response.destroyed).toBe(true);
});

test('[H163] a client that does not read the end of the stream is disconnected', async () => {
  const { stream, takeAll, response } = openSlowStream();
  await takeAll();
  stream.keepAlive();
  await takeAll();
  stream.end('revoked');
  stream.keepAlive();
  expect([response.writableEnded, response.destroyed]).toEqual([true, false]);
  stream.keepAlive();
  expect(response.destroyed).toBe(true);
});

test('[H166] a server that stops does not wait for a client that does not read', () => {
  const { stream, response } = openSlowStream();
  stream.close();
  expect(response.destroyed).toBe(true);
});

test('[H162] a stream whose observer fails is disconnected', () => {
  const { stream, response } = openSlowStream();
  stream.end('failed');
  expect(response.destroyed).toBe(true);
});

test('[H164] a stream whose client disconnected before the stream was opened is closed immediately', async () => {
  const slow = openSlowSocket();
  slow.socket.destroy();
  await new Promise(setImmediate);
  const { stream, closings } = openSlowStream(slow);
  await new Promise(setImmediate);
  expect(closings()).toBe(1);
  stream.deliver(push(1));
  expect(closings()).toBe(1);
});
