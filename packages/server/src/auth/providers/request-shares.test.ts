import { expect, test } from 'vitest';
import type { HttpReply } from '../../platform/network/http-send.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';
import { RequestShares } from './request-shares.ts';

const URL_OF_PROVIDER = new URL('https://id.example/');
const READ = { method: 'GET', headers: {}, body: null } as const;

/** Opens shares of a provider that answers each request only when the test calls the function in `waiting`. */
function openShares() {
  const waiting: ((reply: HttpReply) => void)[] = [];
  const clock = { ms: 0 };
  const shares = new RequestShares(
    (_url, _request, signal) =>
      new Promise((resolve, reject) => {
        waiting.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    () => clock.ms,
  );
  const send = (network: string, projectId: string) =>
    shares.sendFor({ network, projectId })(URL_OF_PROVIDER, READ);
  return { waiting, send, clock };
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

test('[I1310] the clients of one project cause at most 64 requests, also through a proxy that hides their networks', async () => {
  const { waiting, send } = openShares();
  const sent = Array.from({ length: 64 }, () => send(MANY_CLIENTS, 'shop'));
  await expect(send('a', 'shop')).rejects.toBeInstanceOf(AuthOverload);
  const other = send(MANY_CLIENTS, 'blog');
  for (const answer of waiting) answer({ status: 200, body: '{}' });
  await Promise.all([...sent, other]);
});

test('[I1310] when the places of a project are used up, the network with the most loses its oldest request', async () => {
  const { waiting, send } = openShares();
  const others = Array.from({ length: 62 }, (_, index) => send(`n${index}`, 'shop'));
  const first = send('flood', 'shop');
  const second = send('flood', 'shop');
  const newcomer = send('a', 'shop');
  await expect(first).rejects.toBeInstanceOf(AuthOverload);
  for (const answer of waiting) answer({ status: 200, body: '{}' });
  expect((await Promise.all([...others, second, newcomer])).map(({ status }) => status)).not.toContain(503);
});

test('[I1310] if each network has one request and all places are taken, a new request replaces only a request older than a second', async () => {
  const { waiting, send, clock } = openShares();
  const old = send('n0', 'shop');
  clock.ms = 500;
  const others = Array.from({ length: 63 }, (_, index) => send(`n${index + 1}`, 'shop'));
  // A young request is not ended for a newer one, because its answer may be about to arrive.
  clock.ms = 999;
  await expect(send('late', 'shop')).rejects.toBeInstanceOf(AuthOverload);
  clock.ms = 1_000;
  const newcomer = send('a', 'shop');
  await expect(old).rejects.toBeInstanceOf(AuthOverload);
  await expect(send('b', 'shop')).rejects.toBeInstanceOf(AuthOverload);
  for (const answer of waiting) answer({ status: 200, body: '{}' });
  await Promise.all([...others, newcomer]);
});
