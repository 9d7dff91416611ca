import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openServing } from '../app/serving.fixture.ts';
import { ReplicatedStore } from '../cluster/node/replicated-store.ts';
import { createLogger } from '../platform/logger.ts';
import { readServeOptions } from '../platform/serve-options.ts';
import { LmdbStore } from '../storage/kv/lmdb.ts';
import { runClusterDetach } from './cluster/detach.ts';
import { formatNodes } from './cluster/status.ts';
import { startNode } from './serve-cluster.ts';

const logger = createLogger('silent', { write: () => undefined });
const KEY = Buffer.alloc(32, 1).toString('base64');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-node-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function writeKey(): string {
  const path = join(directory, 'secret.key');
  writeFileSync(path, `${KEY}\n`, { mode: 0o600 });
  return path;
}

/** Starts a node with options from the environment. No NATS server listens at the address in them. */
async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const options = readServeOptions(
    {},
    { HEARTH_PORT: '0', HEARTH_DATA: join(directory, 'data'), ...environment },
  );
  const withUrl = { ...options, publicUrl: 'https://hearth.example.com' };
  await startNode(withUrl, null, logger, () => undefined);
}

const NATS = { HEARTH_CLUSTER: 'nats://hearth:secret@127.0.0.1:1' };
const ADDRESS = { HEARTH_CLUSTER_ADDRESS: '127.0.0.1:0' };

test.each([
  ['an address of NATS with another scheme', { HEARTH_CLUSTER: 'http://secret@a' }, 'such as nats://'],
  [
    'a node without an address',
    { HEARTH_CLUSTER_ADDRESS: '9100' },
    'an IP address of this machine and a port',
  ],
  ['all addresses', { HEARTH_CLUSTER_ADDRESS: '0.0.0.0:9100' }, 'an IP address of this machine and a port'],
  ['a name with a dot', { HEARTH_CLUSTER_NAME: 'a.b' }, 'letters, digits and hyphens'],
  ['a monitoring port without an address', { HEARTH_CLUSTER_MONITOR: '8222' }, 'a monitoring port'],
  ['too many replicas', { HEARTH_CLUSTER_REPLICAS: '6' }, 'must be a whole number'],
  ['servers without an address of the node', NATS, '--cluster-address'],
  ['an address without servers', ADDRESS, '--cluster-address'],
  ['no secret key', { ...NATS, ...ADDRESS }, 'the same secret key'],
])('[D19] %s: the node does not start, with one sentence', async (_name, environment, sentence) => {
  await expect(start(environment)).rejects.toThrow(sentence);
  await expect(start(environment)).rejects.not.toThrow('secret@');
});

test('[D19] a node whose NATS servers do not answer does not start, and shows no password', async () => {
  const environment = { ...NATS, ...ADDRESS, HEARTH_KEY_FILE: writeKey() };
  await expect(start(environment)).rejects.toThrow(
    'No NATS server at nats://127.0.0.1:1 accepts connections',
  );
});

test('[D19] a node does not start on the data of a server without a cluster', async () => {
  const serving = await openServing(directory);
  await serving.close();
  const environment = { ...NATS, ...ADDRESS, HEARTH_KEY_FILE: writeKey() };
  await expect(start(environment)).rejects.toThrow('holds data of a server without a cluster');
});

test('[D23] a server without a cluster starts on the data of a node only after the node has left the cluster', async () => {
  const serving = await openServing(directory);
  await serving.close();
  const data = join(directory, 'data');
  {
    using _node = new ReplicatedStore({
      store: new LmdbStore({ directory: data }),
      incarnation: '0'.repeat(16),
      isCurrent: () => true,
      onBatch: () => undefined,
      onLead: () => undefined,
      onLost: () => undefined,
    });
  }
  await expect(openServing(directory)).rejects.toThrow('belongs to a node of a cluster');
  await runClusterDetach({ data });
  await expect(runClusterDetach({ data })).rejects.toThrow('does not belong to a cluster');
  await (await openServing(directory)).close();
});

const BEAT = {
  incarnation: '1',
  address: '',
  sentMs: 0,
  hasStopped: false,
  failsSnapshots: false,
  isServing: false,
  hasReleased: false,
  successor: '',
};

test('[D22] the status lists the nodes, and shows which one leads and which are behind', () => {
  const nodes = [
    { ...BEAT, node: '10.0.0.2:9100', head: 90, epoch: 0 },
    { ...BEAT, node: '10.0.0.4:9100', head: 80, epoch: 0, hasStopped: true },
    { ...BEAT, node: '10.0.0.5:9100', head: 100, epoch: 0, failsSnapshots: true },
    { ...BEAT, node: '10.0.0.1:9100', head: 100, epoch: 7 },
    // It was frozen and does not know yet that another one leads.
    { ...BEAT, node: '10.0.0.3:9100', head: 100, epoch: 6 },
  ];
  expect(formatNodes(nodes)).toEqual([
    'node           role     messages',
    '10.0.0.1:9100  leads    100',
    '10.0.0.2:9100  follows  90        10 behind',
    '10.0.0.3:9100  follows  100',
    '10.0.0.4:9100  follows  80        20 behind, cannot read on',
    '10.0.0.5:9100  follows  100       cannot store snapshots',
    '5 nodes, term 7',
  ]);
  expect(formatNodes([]).at(-1)).toBe('0 nodes, term none');
});
