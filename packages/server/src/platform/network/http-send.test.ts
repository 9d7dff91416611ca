import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpSend } from './http-send.ts';
import type { AddressCheck } from './public-address.ts';

/** Starts a server on one address of this machine, and returns its URL by name and the addresses that connections use. */
async function openServer() {
  const reached: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    reached.push(request.socket.localAddress);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { reached, url: new URL(`http://localhost:${(server.address() as AddressInfo).port}/`) };
}

function send(url: URL, mayReach: AddressCheck) {
  const limits = { timeoutMs: 30_000, maxReplyBytes: 1_000 };
  const post = createHttpSend({ mayReach, forbidden: 'not allowed', ...limits });
  return post(url, { method: 'POST', headers: {}, body: '{}' });
}

test('[I1621] the connection uses an address that was checked', async () => {
  const { url, reached } = await openServer();
  const checked: string[] = [];
  const { status } = await send(url, (address) => {
    checked.push(address);
    return true;
  });
  expect(status).toBe(200);
  expect(checked).toContain(reached[0]);
});

test('[I1621] of the addresses of a name, only those that are allowed are connected to', async () => {
  const { url, reached } = await openServer();
  expect((await send(url, (address) => address === '127.0.0.1')).status).toBe(200);
  expect(reached).toEqual(['127.0.0.1']);
  await expect(send(url, (address) => address !== '127.0.0.1')).rejects.toThrow();
  expect(reached).toHaveLength(1);
});

test('[I1621] a name that was allowed before is checked again for the next request', async () => {
  const { url, reached } = await openServer();
  let isPublic = true;
  const mayReach = (): boolean => isPublic;
  expect((await send(url, mayReach)).status).toBe(200);
  // From now on, the name resolves to an internal address.
  isPublic = false;
  await expect(send(url, mayReach)).rejects.toThrow('not allowed');
  expect(reached).toHaveLength(1);
});
