import { expect, test } from 'vitest';
import { Admission } from './admission.ts';

test.each([
  [1_024, 768],
  [1_048_576, 100_000],
  [100, 1],
  [Number.POSITIVE_INFINITY, 100_000],
])('[H543] with %d files the server has at most %d connections', (maxFiles, total) => {
  const { connections } = new Admission({ maxFiles, maxBodyBytes: 1_000, elapsedMs: () => 0 });
  expect(connections.limits).toMatchObject({ total, ofNetwork: Math.ceil(total / 2) });
});

test('[H521][H542] the memory for bodies is that of the longest one and 64 MiB, of which 16 MiB are reserved', () => {
  const { bodies } = new Admission({ maxFiles: 1_024, maxBodyBytes: 2 ** 28, elapsedMs: () => 0 });
  expect(bodies.limits).toMatchObject({ total: 2 ** 28 + 64 * 2 ** 20, reserve: 16 * 2 ** 20 });
});

test('[H543] the state of each resource is listed', () => {
  const admission = new Admission({ maxFiles: 1_024, maxBodyBytes: 1_000, elapsedMs: () => 0 });
  admission.connections.take({ network: 'n1', isPrivileged: false }, 1, () => undefined);
  expect(admission.states().map(({ name, usage }) => [name, usage.used])).toEqual([
    ['connections', 1],
    ['bodies', 0],
    ['pollingClients', 0],
    ['eventStreams', 0],
    ['streamedWrites', 0],
  ]);
});
