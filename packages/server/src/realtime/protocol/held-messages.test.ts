import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { MessageOutput } from './held-messages.ts';

test('[L100] a long value whose session ended before it was sent is not generated', () => {
  const sent: string[] = [];
  const sender = {
    network: '192.0.2.1',
    evict: () => undefined,
    drained: () => undefined,
    listens: { has: () => true },
    connection: { deliver: (messages: readonly OutgoingMessage[]) => sent.push(...messages.map(String)) },
  };
  const pool = openTestPool();
  const output = new MessageOutput(sender, pool);
  output.stop();
  let stops = 0;
  const text = new Promise<string>(() => undefined);
  output.deliver([new OutgoingMessage('first'), new OutgoingMessage({ text, stop: () => void stops++ })]);
  expect([stops, sent, output.isHolding, pool.usage.used]).toEqual([1, [], false, 0]);
});

test('[L100] messages that were held and have been sent are no longer counted', async () => {
  const sender = {
    network: '192.0.2.1',
    evict: () => undefined,
    drained: () => undefined,
    listens: { has: () => true },
    connection: { deliver: () => undefined },
  };
  const pool = openTestPool();
  const output = new MessageOutput(sender, pool);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const pendingOf = ({ promise }: PromiseWithResolvers<string>) =>
    new OutgoingMessage({ text: promise, stop: () => undefined });
  output.deliver([pendingOf(first), new OutgoingMessage('x'.repeat(1_000)), pendingOf(second)]);
  expect(pool.usage.used).toBe(1_000);
  first.resolve('first');
  await expect.poll(() => pool.usage.used).toBe(0);
  expect(output.isHolding).toBe(true);
});

test('[W201] a message that was held is not sent if its listen has ended in the meantime', async () => {
  const sent: string[] = [];
  const tags = new Set<number | null>([1, 2]);
  const sender = {
    network: '192.0.2.1',
    evict: () => undefined,
    drained: () => undefined,
    listens: { has: ({ tag }: { readonly tag: number | null }) => tags.has(tag) },
    connection: {
      deliver: (messages: readonly OutgoingMessage[]) => void sent.push(...messages.map(({ text }) => text)),
    },
  };
  const output = new MessageOutput(sender, openTestPool());
  const { promise, resolve } = Promise.withResolvers<string>();
  const dataOf = (tag: number) => ({ path: parsePath('a'), tag });
  output.deliver([
    new OutgoingMessage({ text: promise, stop: () => undefined }, dataOf(1)),
    new OutgoingMessage('data of 1', dataOf(1)),
    new OutgoingMessage('data of 2', dataOf(2)),
    new OutgoingMessage('a response'),
  ]);
  tags.delete(1);
  resolve('long data of 1');
  await expect.poll(() => output.isHolding).toBe(false);
  expect(sent).toEqual(['data of 2', 'a response']);
});
