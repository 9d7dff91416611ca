import { expect, test } from 'vitest';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';
import { SamlThread } from './thread.ts';
import type { SamlTask } from './thread-task.ts';

const TASK: SamlTask = {
  kind: 'authorize',
  provider: { ssoUrl: 'https://idp.example/', spEntityId: 'shop', callbackUrl: 'https://a.example/' },
  requestId: '_1',
  relayState: 'state',
  privateKey: null,
};

test('[I1308] of one network, 8 documents wait, and 64 of all', async () => {
  await using thread = new SamlThread();
  // One runs, and the others wait.
  const begun = Array.from({ length: 9 }, () => thread.run(TASK, 'a'));
  await expect(thread.run(TASK, 'a')).rejects.toBeInstanceOf(AuthOverload);
  const others = Array.from({ length: 56 }, () => thread.run(TASK, MANY_CLIENTS));
  await expect(thread.run(TASK, 'b')).rejects.toBeInstanceOf(AuthOverload);
  const replies = await Promise.all([...begun, ...others]);
  expect(replies.every(({ kind }) => kind === 'address')).toBe(true);
  expect((await thread.run(TASK, 'b')).kind).toBe('address');
});

test('[I1308] a document that takes too long is given up, and those that wait when the server stops', async () => {
  const thread = new SamlThread({ limitMs: 0 });
  await expect(thread.run(TASK, 'a')).rejects.toThrow('takes too long');
  await expect(thread.run(TASK, 'a')).rejects.toThrow('takes too long');
  const waiting = [thread.run(TASK, 'a'), thread.run(TASK, 'a')];
  const ended = Promise.allSettled(waiting);
  await thread[Symbol.asyncDispose]();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(thread.run(TASK, 'a')).rejects.toBeInstanceOf(AuthOverload);
});
