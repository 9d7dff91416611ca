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

test('[I1308] at most 8 documents of one network and 64 in all may wait; a further one replaces one of the network with the most', async () => {
  await using thread = new SamlThread(() => 0);
  // The thread parses one document while the others wait.
  const [running, oldest, ...later] = Array.from({ length: 9 }, () => thread.run(TASK, 'a'));
  await expect(thread.run(TASK, 'a')).rejects.toBeInstanceOf(AuthOverload);
  const others = Array.from({ length: 56 }, () => thread.run(TASK, MANY_CLIENTS));
  const newcomer = thread.run(TASK, 'b');
  await expect(oldest).rejects.toBeInstanceOf(AuthOverload);
  const replies = await Promise.all([running, ...later, ...others, newcomer]);
  expect(replies.every((reply) => reply?.kind === 'address')).toBe(true);
});

test('[I1308] a document that takes too long is rejected, and so are those that wait when the server stops', async () => {
  const thread = new SamlThread(() => 0, { limitMs: 0 });
  await expect(thread.run(TASK, 'a')).rejects.toThrow('takes too long');
  await expect(thread.run(TASK, 'a')).rejects.toThrow('takes too long');
  const waiting = [thread.run(TASK, 'a'), thread.run(TASK, 'a')];
  const ended = Promise.allSettled(waiting);
  await thread[Symbol.asyncDispose]();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(thread.run(TASK, 'a')).rejects.toBeInstanceOf(AuthOverload);
});
