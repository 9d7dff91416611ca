import { expect, test } from 'vitest';
import { Api } from './api.ts';
import { askAhead } from './asked-ahead.ts';

/** An address that answers with a number, another one for each test. */
function addressOf(number: number): string {
  return `data:application/json,${number}`;
}

test('[C311] what was asked ahead is the answer to the first request for the same, and to no other', async () => {
  const address = addressOf(1);
  askAhead(address, null);
  const api = new Api(null);
  const first = await api.send(address, {});
  expect(await first.json()).toBe(1);
  const second = await api.send(address, {});
  expect(second).not.toBe(first);
  expect(await second.json()).toBe(1);
});

test('[C311] whoever leaves before the answer has come ends the request', async () => {
  const address = addressOf(2);
  askAhead(address, null);
  const abort = new AbortController();
  const answer = new Api(null).json(address, { signal: abort.signal });
  abort.abort();
  await expect(answer).rejects.toThrow(/abort/i);
});

test('[C314] a request ahead that is not answered is told to whoever takes its answer', async () => {
  const address = 'http://127.0.0.1:1/nobody';
  askAhead(address, null);
  await expect(new Api(null).json(address)).rejects.toMatchObject({ status: 0 });
});
