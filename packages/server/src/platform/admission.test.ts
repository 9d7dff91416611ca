import { expect, test } from 'vitest';
import { Admission, type AdmissionOptions } from './admission.ts';

const MIB = 2 ** 20;
const OPTIONS: AdmissionOptions = {
  maxFiles: 1_024,
  maxBodyBytes: 1_000,
  maxMessageBytes: 1_000,
  memoryBytes: 4_096 * MIB,
  elapsedMs: () => 0,
};

test.each([
  [1_024, 768],
  [1_048_576, 100_000],
  [100, 1],
  [Number.POSITIVE_INFINITY, 100_000],
])('[H543] with %d files the server has at most %d connections', (maxFiles, total) => {
  const { connections } = new Admission({ ...OPTIONS, maxFiles });
  expect(connections.limits).toMatchObject({ total, ofNetwork: Math.ceil(total / 2) });
});

test('[H521][H542] the memory for bodies is the longest body plus 64 MiB, of which 16 MiB are reserved', () => {
  const { bodies } = new Admission({ ...OPTIONS, maxBodyBytes: 256 * MIB });
  expect(bodies.limits).toMatchObject({ total: 2 ** 28 + 64 * 2 ** 20, reserve: 16 * 2 ** 20 });
});

test('[H521] with little memory, the longest body is a quarter of it', () => {
  const { bodies, maxBodyBytes } = new Admission({
    ...OPTIONS,
    maxBodyBytes: 256 * MIB,
    memoryBytes: 256 * MIB,
  });
  expect([maxBodyBytes, bodies.limits.total]).toEqual([64 * MIB, 80 * MIB]);
});

test('[H543] the state of each resource is listed', () => {
  const admission = new Admission(OPTIONS);
  admission.connections.take({ network: 'n1', isPrivileged: false }, 1, () => undefined);
  expect(admission.states().map(({ name, usage }) => [name, usage.used])).toEqual([
    ['connections', 1],
    ['bodies', 0],
    ['pollingClients', 0],
    ['eventStreams', 0],
    ['streamedWrites', 0],
    ['longReads', 0],
    ['listens', 0],
    ['messages', 0],
    ['disconnectWrites', 0],
    ['passwordChecks', 0],
    ['foreignHashes', 0],
    ['newPasswords', 0],
    ['challengeChecks', 0],
    ['searches', 0],
    ['counts', 0],
    ['accountSearches', 0],
    ['replays', 0],
    ['liveFeeds', 0],
  ]);
});

test.each([
  [4_096, 100_000, 64, 512],
  [512, 16_384, 32, 64],
  [128, 4_096, 8, 16],
])(
  '[H550] with %d MiB of memory, there may be %d connections, %d MiB of bodies and %d MiB of listens',
  (memoryMib, connections, bodiesMib, listensMib) => {
    const memoryBytes = memoryMib * MIB;
    const admission = new Admission({ ...OPTIONS, maxFiles: Number.POSITIVE_INFINITY, memoryBytes });
    expect(admission.connections.limits.total).toBe(connections);
    expect(admission.bodies.limits.total).toBe(1_000 + bodiesMib * MIB);
    expect(admission.listens.limits.total).toBe(listensMib * MIB);
    expect(admission.messages.limits.total).toBe(listensMib * MIB + 4_000);
  },
);

test('[H547] one network can hold the longest message, even with little memory', () => {
  const { messages } = new Admission({ ...OPTIONS, maxMessageBytes: 500 * MIB, memoryBytes: 128 * MIB });
  expect(messages.limits.ofNetwork).toBeGreaterThanOrEqual(500 * MIB);
});
