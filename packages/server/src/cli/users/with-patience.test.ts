import { expect, test } from 'vitest';
import { CommandFailure } from '../../platform/failures.ts';
import { ServerGone } from '../transfer/server-link.ts';
import { withPatience } from './accounts-client.ts';

/** How long somebody waits for a server by a clock that shows these times one after the other, in ms. */
function patience(...shown: readonly number[]) {
  const told: string[] = [];
  const times = [...shown];
  const elapsedMs = () => times.shift() ?? 0;
  const { signal } = new AbortController();
  return { told, patience: { signal, elapsedMs, report: (sentence: string) => void told.push(sentence) } };
}

const gone = (): never => {
  throw new ServerGone('http://127.0.0.1:1', new Error('refused'));
};

test('[H350] what fails because the server is gone is done again', async () => {
  const { told, patience: wait } = patience(0, 0);
  let attempts = 0;
  const done = await withPatience(wait, async () => {
    attempts += 1;
    return attempts < 2 ? gone() : 'done';
  });
  expect([done, attempts]).toEqual(['done', 2]);
  expect(told).toEqual(['The server does not answer. Retrying.']);
});

test('[H350] a server that stays away is given up after a minute, and a refusal is none of this', async () => {
  await expect(withPatience(patience(0, 60_001).patience, async () => gone())).rejects.toThrow(ServerGone);
  const refuse = async (): Promise<never> => {
    throw new CommandFailure('no');
  };
  await expect(withPatience(patience().patience, refuse)).rejects.toThrow('no');
});
