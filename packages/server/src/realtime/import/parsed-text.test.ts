import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { ParsedText } from './parsed-text.ts';
import { SLICE_UNITS } from './text-slices.ts';

const SLICES = 6;
const LONG = JSON.stringify(Array.from({ length: (SLICES * SLICE_UNITS) / 4 }, () => 10).concat([1.5]));

function openText(text: string | Buffer, network = '192.0.2.1'): ParsedText {
  return new ParsedText(text, { network, maxMembers: 10, memory: null });
}

/**
 * Parses texts. Returns their names in the order in which the texts end, each with the number of iterations of the
 * event loop.
 */
async function runAll(
  texts: readonly (readonly [name: string, text: ParsedText])[],
): Promise<{ readonly order: readonly string[]; readonly rounds: number }> {
  const order: string[] = [];
  let rounds = 0;
  for (const [name, text] of texts) void text.run().then(() => order.push(name));
  for (; order.length < texts.length; rounds += 1) await setImmediate();
  return { order, rounds };
}

test.each([
  ['characters', LONG],
  ['bytes', Buffer.from(LONG)],
  ['characters of two units', JSON.stringify(`a${'\u{1f600}'.repeat(200_000)}`)],
])('[W180] a long text of %s is parsed in steps', async (_name, text) => {
  const parsed = openText(text);
  const { rounds } = await runAll([['a', parsed]]);
  expect(parsed.finish()).toEqual(JSON.parse(text.toString()));
  expect(rounds).toBeGreaterThanOrEqual(SLICES);
});

test('[W180] the steps of a token grow with it', async () => {
  const { rounds } = await runAll([['a', openText(`"${'x'.repeat(100 * SLICE_UNITS)}"`)]]);
  expect(rounds).toBeGreaterThan(10);
  expect(rounds).toBeLessThan(100);
});

test('[W180] the texts of one network are parsed one after the other, and those of others in between', async () => {
  const { order } = await runAll([
    ['first', openText(LONG)],
    ['second', openText(LONG)],
    ['third', openText(LONG)],
    ['other', openText(LONG, '198.51.100.1')],
  ]);
  expect(order.indexOf('other')).toBeLessThan(2);
  expect(order.filter((name) => name !== 'other')).toEqual(['first', 'second', 'third']);
});

test('[W180] five networks are served, four at a time', async () => {
  const names = ['1', '2', '3', '4', '5'];
  const { order } = await runAll(names.map((name) => [name, openText(LONG, `203.0.${name}.1`)]));
  expect(order.at(-1)).toBe('5');
});

test('[W180] a text that is stopped gives its place and its memory back', async () => {
  const pool = openTestPool();
  const holder = { network: '192.0.2.1', evict: () => undefined };
  const stopped = new ParsedText(LONG, { network: '192.0.2.1', maxMembers: 1, memory: { pool, holder } });
  const ended = stopped.run();
  while (pool.usage.used === 0) await setImmediate();
  stopped.stop();
  await ended;
  expect(pool.usage.used).toBe(0);
  await runAll([['next', openText(LONG)]]);
});

test('[W180] text that is not JSON is rejected with its position', async () => {
  const parsed = openText(`${LONG.slice(0, -1)}}`);
  await parsed.run();
  expect(() => parsed.finish()).toThrow(`(byte ${LONG.length - 1})`);
});
