import { expect, test } from 'vitest';
import { CommandFailure } from '../../platform/failures.ts';
import { ServerUnreachable } from '../transfer/server-link.ts';
import { withRetry } from './accounts-client.ts';

/** Returns options of `withRetry` with a clock that shows these times one after the other, in ms. */
function timeouts(...shown: readonly number[]) {
  const reported: string[] = [];
  const times = [...shown];
  const elapsedMs = () => times.shift() ?? 0;
  const { signal } = new AbortController();
  return {
    reported,
    timeouts: { signal, elapsedMs, report: (sentence: string) => void reported.push(sentence) },
  };
}

const failUnreachable = (): never => {
  throw new ServerUnreachable({ url: 'http://127.0.0.1:1' }, new Error('refused'));
};

test('[H350] a request is retried if the server is unreachable', async () => {
  const { reported, timeouts: wait } = timeouts(0, 0);
  let attempts = 0;
  const done = await withRetry(wait, async () => {
    attempts += 1;
    return attempts < 2 ? failUnreachable() : 'done';
  });
  expect([done, attempts]).toEqual(['done', 2]);
  expect(reported).toEqual(['The server does not answer. Retrying.']);
});

test('[H350] retries end after a minute, and an error of the server is not retried', async () => {
  await expect(withRetry(timeouts(0, 60_001).timeouts, async () => failUnreachable())).rejects.toThrow(
    ServerUnreachable,
  );
  const reject = async (): Promise<never> => {
    throw new CommandFailure('no');
  };
  await expect(withRetry(timeouts().timeouts, reject)).rejects.toThrow('no');
});
