import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHttpSend } from '../../platform/network/http-send.ts';
import { isPublicAddress } from '../../platform/network/public-address.ts';
import { TestClock } from '../../records/memory-records.fixture.ts';
import { AuthOverload } from '../errors.ts';
import { ProviderDocuments } from './provider-documents.ts';
import { createProviderSend, fetchJson, requireProviderUrl } from './provider-requests.ts';

/** Starts a server that answers on loopback, and returns its address. */
async function openServer(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const READ = { method: 'GET', headers: {}, body: null } as const;

test('[I964] a provider at a private address, or at a name of one, is not connected to', async () => {
  let requests = 0;
  const address = await openServer((response) => {
    requests += 1;
    response.end('{}');
  });
  const send = createProviderSend(isPublicAddress);
  for (const url of [
    address,
    address.replace('127.0.0.1', 'localhost'),
    'http://[::1]/',
    'http://169.254.169.254/',
  ])
    await expect(send(new URL(url), READ)).rejects.toThrow('--allow-private-providers');
  expect(requests).toBe(0);
});

test('[I964] redirects are not followed, and a reply has at most 256 KiB', async () => {
  const send = createProviderSend(undefined);
  let elsewhere = 0;
  const target = await openServer((response) => {
    elsewhere += 1;
    response.end('{}');
  });
  const redirecting = await openServer((response) => response.writeHead(302, { location: target }).end());
  await expect(fetchJson(send, new URL(redirecting))).rejects.toThrow('answered with status 302');
  expect(elsewhere).toBe(0);
  const huge = await openServer((response) => {
    // Never ends by itself.
    const write = (): void => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', write).on('error', () => undefined);
    write();
  });
  await expect(fetchJson(send, new URL(huge))).rejects.toThrow('The reply is too long');
  const deep = await openServer((response) => response.end(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`));
  await expect(fetchJson(send, new URL(deep))).rejects.toThrow('something other than a JSON object');
});

test.each([
  'http://id.example/',
  'ftp://id.example/',
  'https://u@id.example/',
  'id.example',
  7,
  `https://id.example/${'x'.repeat(2_048)}`,
])('[I964] %s is rejected as the address of a provider', (address) => {
  expect(() => requireProviderUrl(address)).toThrow('not an https URL');
});

test('[I968] a document is fetched once for all who wait for it, and at most 32 documents at a time', async () => {
  const waiting: PromiseWithResolvers<{ status: number; body: string }>[] = [];
  const documents = new ProviderDocuments(() => {
    const one = Promise.withResolvers<{ status: number; body: string }>();
    waiting.push(one);
    return one.promise;
  }, new TestClock());
  const reads = Array.from({ length: 32 }, (_, index) =>
    documents.for(`p${index % 4}`).read(`https://id.example/${index}`),
  );
  const same = documents.for('p0').read('https://id.example/0');
  await expect(documents.for('p0').read('https://id.example/32')).rejects.toThrow(AuthOverload);
  for (const { resolve } of waiting) resolve({ status: 200, body: '{}' });
  await Promise.all(reads);
  expect(await same).toBe(await reads[0]);
  expect(waiting).toHaveLength(32);
});

test('[I1571] a project fetches at most 8 documents at a time, and at the limit of all projects, the one with the most loses one', async () => {
  const documents = new ProviderDocuments(
    (_url, _request, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    new TestClock(),
  );
  const read = (project: string, index: number) =>
    documents.for(project).read(`https://id.example/${project}/${index}`);
  const slow = Array.from({ length: 32 }, (_, index) => read(`p${index % 4}`, index));
  await expect(read('p0', 32)).rejects.toThrow(AuthOverload);
  void read('shop', 0);
  await expect(Promise.race(slow)).rejects.toThrow(AuthOverload);
});

test('[I964] a provider that answers too late counts as one that does not answer', async () => {
  const silent = await openServer(() => undefined);
  const slow = await openServer((response) => response.write('{'));
  const send = createHttpSend({ mayReach: undefined, forbidden: '', timeoutMs: 20, maxReplyBytes: 10 });
  for (const address of [silent, slow]) await expect(send(new URL(address), READ)).rejects.toThrow();
});

test('[I968] the server sends at most 128 requests to providers at a time', async () => {
  const waiting: ServerResponse[] = [];
  const arrived = Promise.withResolvers<void>();
  const address = await openServer((response) => {
    if (waiting.push(response) === 128) arrived.resolve();
  });
  const send = createProviderSend(undefined);
  const sent = Array.from({ length: 128 }, () => send(new URL(address), READ));
  await arrived.promise;
  await expect(send(new URL(address), READ)).rejects.toThrow(AuthOverload);
  for (const response of waiting) response.end('{}');
  await Promise.all(sent);
  const last = send(new URL(address), READ);
  await vi.waitFor(() => expect(waiting).toHaveLength(129));
  waiting.at(-1)?.end('{}');
  expect(await last).toMatchObject({ status: 200, body: '{}' });
});
