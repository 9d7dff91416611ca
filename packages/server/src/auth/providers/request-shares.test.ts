import { expect, test } from 'vitest';
import type { HttpReply } from '../../platform/network/http-send.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';
import { RequestShares } from './request-shares.ts';

const URL_OF_PROVIDER = new URL('https://id.example/');
const READ = { method: 'GET', headers: {}, body: null } as const;

/** Opens shares of a provider that responds when the test makes it respond. */
function openShares() {
  const waiting: ((reply: HttpReply) => void)[] = [];
  const shares = new RequestShares(
    () => new Promise((resolve) => waiting.push(resolve)),
    () => 0,
  );
  const send = (network: string, projectId: string) =>
    shares.sendFor({ network, projectId })(URL_OF_PROVIDER, READ);
  return { waiting, send };
}

test('[I1310] the clients of one network cause at most 16 requests to providers at a time', async () => {
  const { waiting, send } = openShares();
  const sent = Array.from({ length: 16 }, () => send('a', 'shop'));
  await expect(send('a', 'blog')).rejects.toBeInstanceOf(AuthOverload);
  const other = send('b', 'shop');
  for (const answer of waiting.splice(0)) answer({ status: 200, body: '{}' });
  await Promise.all([...sent, other]);
  const next = send('a', 'shop');
  waiting[0]?.({ status: 200, body: '{}' });
  expect((await next).status).toBe(200);
});

test('[I1310] those of one project cause at most 64, also through a proxy that hides its clients', async () => {
  const { waiting, send } = openShares();
  const sent = Array.from({ length: 64 }, () => send(MANY_CLIENTS, 'shop'));
  await expect(send('a', 'shop')).rejects.toBeInstanceOf(AuthOverload);
  const other = send(MANY_CLIENTS, 'blog');
  for (const answer of waiting) answer({ status: 200, body: '{}' });
  await Promise.all([...sent, other]);
});
