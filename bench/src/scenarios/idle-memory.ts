import { Client } from '../client/client.ts';
import { RawSocket } from '../client/raw-socket.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { readMemory } from '../measure/process.ts';
import { median, pause } from '../measure/time.ts';
import { collectGarbage, withCollector } from '../server/collector.ts';
import { IDLE_FLOOR, type ServerCommand } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const WARM_CONNECTIONS = 100;
const OPENING_AT_ONCE = 50;
const READ_EVERY_MS = 250;
const COLLECTIONS = 3;

type Opener = (port: number, number: number) => Promise<Disposable>;

/**
 * Resident memory per connection. `firstBytes` is for the first connections of a process, and includes the growth
 * of the process. `furtherBytes` is for later connections, and is lower and more stable.
 */
type ConnectionCost = { readonly firstBytes: number; readonly furtherBytes: number };

/**
 * Measures the memory of an idle connection with one listen, compared with that of a bare idle `ws`
 * connection.
 */
export async function measureIdleMemory({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const connections = quick ? 500 : 2_000;
  const settleMs = quick ? 500 : 2_000;
  const rounds = quick ? 1 : 5;
  const hearth: ConnectionCost[] = [];
  const floor: ConnectionCost[] = [];
  for (let round = 0; round < rounds; round += 1) {
    hearth.push(await measureOne(subject, openListening, connections, settleMs));
    floor.push(await measureOne(IDLE_FLOOR, openIdle, connections, settleMs));
    progress(`idle memory: ${formatCost(hearth.at(-1))}, floor ${formatCost(floor.at(-1))}`);
  }
  const figure = (
    name: string,
    bytesOf: (cost: ConnectionCost) => number,
    target: Figure['target'],
  ): Figure => ({
    name,
    unit: 'KiB resident',
    value: median(hearth.map(bytesOf)) / 1024,
    compared: median(floor.map(bytesOf)) / 1024,
    target,
  });
  return [
    figure(`idle connection with one listen, among the first ${connections}`, (cost) => cost.firstBytes, {
      kind: 'ratioAtMost',
      bound: 1.5,
    }),
    // No target: the floor's clients send no message, so the `ws` library itself also uses less memory for them.
    figure(`the same, among ${connections} further ones`, (cost) => cost.furtherBytes, { kind: 'none' }),
  ];
}

function formatCost(cost: ConnectionCost | undefined): string {
  return cost === undefined
    ? ''
    : `${Math.round(cost.firstBytes)} and ${Math.round(cost.furtherBytes)} bytes per connection`;
}

/**
 * Opens connections in steps of half of `connections`, and reads the memory of the process after each step.
 */
async function measureOne(
  command: ServerCommand,
  open: Opener,
  connections: number,
  settleMs: number,
): Promise<ConnectionCost> {
  using directory = new TemporaryDirectory();
  const collectable = await withCollector(command);
  await using server = await ServerProcess.start(collectable.command, directory.path);
  const opened: Disposable[] = [];
  const readAfterOpening = async (count: number): Promise<number> => {
    await openMany(open, server.port, count, opened);
    return readSettledBytes(server.pid, collectable.inspectorPort, settleMs);
  };
  try {
    // The first hundred connections only make the server load its code.
    const empty = await readAfterOpening(WARM_CONNECTIONS);
    const half = await readAfterOpening(connections / 2);
    const full = await readAfterOpening(connections / 2);
    const beyond = await readAfterOpening(connections / 2);
    return { firstBytes: (full - empty) / connections, furtherBytes: (beyond - half) / connections };
  } finally {
    for (const connection of opened) connection[Symbol.dispose]();
  }
}

async function openMany(open: Opener, port: number, count: number, opened: Disposable[]): Promise<void> {
  const target = opened.length + count;
  while (opened.length < target) {
    const group = Array.from({ length: Math.min(OPENING_AT_ONCE, target - opened.length) }, (_, index) =>
      open(port, opened.length + index),
    );
    opened.push(...(await Promise.all(group)));
  }
}

/** Returns the lowest of several readings between garbage collections: the memory in use, without garbage. */
async function readSettledBytes(pid: number, inspectorPort: number, settleMs: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    await collectGarbage(inspectorPort);
    for (let waitedMs = 0; waitedMs < settleMs / COLLECTIONS; waitedMs += READ_EVERY_MS) {
      await pause(READ_EVERY_MS);
      lowest = Math.min(lowest, readMemory(pid).residentBytes);
    }
  }
  return lowest;
}

async function openListening(port: number, number: number): Promise<Disposable> {
  const client = await Client.open(port, 'bench');
  await client.must('q', { p: `/users/user${number}/inbox`, h: '' });
  return client;
}

async function openIdle(port: number): Promise<Disposable> {
  const greeted = Promise.withResolvers<void>();
  const socket = await RawSocket.open(port, 'bench', { onText: () => greeted.resolve() });
  await greeted.promise;
  return { [Symbol.dispose]: () => socket.destroy() };
}
