import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { KINDS } from './kinds.ts';
import { ResponseReader } from './responses.ts';
import { parse, runMalformed } from './run-malformed.ts';

/** Half of them for a server, the others for parsers. */
const INPUTS = 6_300;
const MAX_GROWTH_BYTES = 64 * 2 ** 20;

test('[P72] malformed input of every kind gets an answer, and leaves no error in the log', async () => {
  const { inputs, findings, growthBytes, statuses } = await runMalformed({
    inputs: INPUTS,
    seed: 1,
    kinds: Object.keys(KINDS),
  });
  expect(findings).toEqual([]);
  expect(inputs).toBe(INPUTS);
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(INPUTS);
  expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  // Both sides of each check are reached: the mutations leave some inputs valid.
  expect(statuses['200']).toBeGreaterThan(INPUTS / 200);
  expect(statuses['400']).toBeGreaterThan(INPUTS / 20);
  expect(statuses['open']).toBeGreaterThan(0);
  expect(statuses['parsed']).toBeGreaterThan(INPUTS / 20);
  expect(statuses['refused']).toBeGreaterThan(INPUTS / 20);
});

test('[P72] a mistake of a parser is a finding', () => {
  const inputOf = (fail: () => void): string => parse({ kind: 'parsed', text: '', parse: fail });
  const failWith = (error: Error) => (): void => {
    throw error;
  };
  expect(inputOf(() => undefined)).toBe('parsed');
  expect(inputOf(failWith(new SyntaxError('not JSON')))).toBe('refused');
  expect(inputOf(failWith(new RequestError('path/invalid')))).toBe('refused');
  expect(inputOf(failWith(new TypeError('undefined has no properties')))).toMatch(/^mistake: TypeError/);
  expect(inputOf(failWith(new RequestError('internal/error')))).toMatch(/^mistake/);
});

test('[P72] responses to pipelined requests are read one by one, however they are divided', () => {
  const text =
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"a"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
  for (const size of [1, 7, text.length]) {
    const reader = new ResponseReader();
    const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      Buffer.from(text.slice(at * size, (at + 1) * size)),
    );
    expect(parts.flatMap((part) => reader.push(part)).map(({ status }) => status)).toEqual([200, 400, 204]);
  }
});

test('[P72] an unknown kind of input is an error', async () => {
  expect(Object.keys(KINDS).length).toBeGreaterThanOrEqual(8);
  await expect(runMalformed({ inputs: 1, seed: 1, kinds: ['none'] })).rejects.toThrow('Unknown kind: none.');
});
