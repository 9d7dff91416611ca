import { expect, test } from 'vitest';
import { FIRST_POSITION } from './chain.ts';
import { JetStream } from './jetstream.ts';
import { replicatedLogContract } from './log.contract.ts';
import { runTrial } from './model/trial.ts';
import { NatsServers, type NatsServersOptions } from './nats-servers.fixture.ts';
import { snapshotStorageContract } from './snapshots/storage.contract.ts';

/** `npm run test:all` finds the program, or fetches it. */
const program = process.env['NATS_SERVER_PATH'] ?? '';

/** Runs only if there is a program. */
const testOnServers = test.runIf(program !== '');

const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const open = ({ addresses, monitors }: NatsServers, replicas: number): Promise<JetStream> =>
  JetStream.open({ servers: addresses, monitors, cluster: 'contract', replicas });

if (program !== '')
  for (const count of [1, 3])
    replicatedLogContract(`JetStream, servers: ${count}`, async () => {
      const servers = await NatsServers.start({ program, count });
      const connections: JetStream[] = [];
      return {
        connect: async () => {
          const jetStream = await open(servers, count);
          connections.push(jetStream);
          return jetStream.openShard('0');
        },
        wait: breathe,
        [Symbol.asyncDispose]: async () => {
          for (const connection of connections) await connection[Symbol.asyncDispose]();
          await servers[Symbol.asyncDispose]();
        },
      };
    });

if (program !== '')
  for (const count of [1, 3])
    snapshotStorageContract(`JetStream, servers: ${count}`, async () => {
      const servers = await NatsServers.start({ program, count });
      const stack = new AsyncDisposableStack();
      stack.use(servers);
      return {
        connect: async () => stack.use(await open(servers, count)).openSnapshots('0'),
        [Symbol.asyncDispose]: () => stack.disposeAsync(),
      };
    });

const unsuitable: readonly [string, Partial<NatsServersOptions>, string][] = [
  ['flush later', { jetStream: 'max_file_store: 1GB' }, 'sync_interval'],
  ['take only short messages', { maxPayload: '64KB' }, 'max_payload'],
];

testOnServers.each(unsuitable)('[D13] servers that %s are rejected', async (_name, options, sentence) => {
  await using servers = await NatsServers.start({ program, count: 1, ...options });
  await expect(open(servers, 1)).rejects.toThrow(sentence);
});

testOnServers('[D19] a stream that is lost is not created again by a node that has read it', async () => {
  await using servers = await NatsServers.start({ program, count: 1 });
  await using jetStream = await open(servers, 1);
  await expect(jetStream.openShard('0', 7)).rejects.toThrow('no stream contract-0');
  const log = await jetStream.openShard('0');
  await jetStream.openShard('0', 7);
  await jetStream.deleteShard('0');
  const { promise, resolve } = Promise.withResolvers<unknown>();
  log.extent(resolve);
  expect(await promise).toEqual({ first: 1, last: 0, bytes: 0 });
});

testOnServers('[D31] a log that is lost is not begun again while there are snapshots of it', async () => {
  await using servers = await NatsServers.start({ program, count: 1 });
  await using jetStream = await open(servers, 1);
  const { identity } = await jetStream.openShard('0');
  expect(await jetStream.identify('0')).toBe(identity);
  const storage = await jetStream.openSnapshots('0');
  const snapshot = { pieces: 1, keys: 1, bytes: 1, sha256: '', position: FIRST_POSITION };
  await storage.putPiece(`${identity}-1`, 0, Buffer.of(1));
  await storage.complete({ id: `${identity}-1`, ...snapshot });
  await jetStream.deleteShard('0');
  expect(await jetStream.identify('0')).toBeUndefined();
  await expect(jetStream.openShard('0')).rejects.toThrow('has snapshots of it');
  await storage.remove(`${identity}-1`);
  expect((await jetStream.openShard('0')).identity).not.toBe(identity);
});

testOnServers('[D13] one server cannot store three replicas', async () => {
  await using servers = await NatsServers.start({ program, count: 1 });
  await using jetStream = await open(servers, 3);
  await expect(jetStream.openShard('0')).rejects.toThrow('3 replicas');
});

test('[D13] servers that do not answer are named', async () => {
  const options = { servers: ['nats://127.0.0.1:1'], monitors: [], cluster: 'none', replicas: 3 };
  await expect(JetStream.open(options)).rejects.toThrow('nats://127.0.0.1:1');
});

testOnServers('[D15] nodes and servers that are killed lose nothing that was acknowledged', async () => {
  await using servers = await NatsServers.start({ program, count: 3 });
  const { addresses, monitors } = servers;
  const makeFault = servers.restartOne.bind(servers);
  const trial = { servers: addresses, monitors, replicas: 3, seed: 1, durationMs: 10_000, makeFault };
  expect((await runTrial(trial)).acknowledged).toBeGreaterThan(0);
});
