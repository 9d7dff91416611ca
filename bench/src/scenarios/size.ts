import { Client } from '../client/client.ts';
import { putRules } from '../client/http.ts';
import { isRecord, type Json } from '../client/json.ts';
import { loadChatMessages, messageKey } from '../load/chat.ts';
import { measureWriteLatencies } from '../load/writes.ts';
import { readDirectoryBytes, TemporaryDirectory } from '../measure/directory.ts';
import { MemoryWatch, readCpuUs } from '../measure/process.ts';
import { median, percentile, readClockMs } from '../measure/time.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const NAMESPACE = 'bench';
const LARGE = '/large';
const SMALL = '/small';
const SMALL_COUNT = 1_000;
const PAGE = 50;
const STARTS = 5;
const MIB = 2 ** 20;

/**
 * Measures the cost of many messages under one node: memory, queries, start, deletion, and the file
 * afterwards.
 */
export async function measureSize({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const count = quick ? 20_000 : 1_000_000;
  using directory = new TemporaryDirectory();
  const emptyStartMs = await measureEmptyStart(subject);
  const first = await loadFirst(subject, directory.path, count, quick, progress);
  const starts = await measureStarts(subject, directory.path);
  await using server = await ServerProcess.start(subject, directory.path);
  progress(`size: ready ${server.startMs.toFixed(0)} ms after starting with ${count} messages`);
  using watch = new MemoryWatch(server.pid);
  const queries = await measureQueries(server.port, count, quick ? 40 : 400);
  const serving = watch.readHighest();
  const deletion = await measureDeletion(server, quick);
  progress(
    `size: deleted, acknowledged after ${deletion.ackMs.toFixed(1)} ms, space reclaimed after ${(deletion.reclaimMs / 1_000).toFixed(1)} s`,
  );
  using client = await Client.open(server.port, NAMESPACE);
  await loadChatMessages(client, LARGE, count);
  const secondBytes = readDirectoryBytes(directory.path);
  await measureDeletion(server, true);
  await loadChatMessages(client, LARGE, count);
  const thirdBytes = readDirectoryBytes(directory.path);
  const reloading = watch.readHighest();
  const memoryLimitMb = 400;
  const start = { unit: 'ms', compared: emptyStartMs, target: { kind: 'below', bound: 1_000 } } as const;
  return [
    {
      name: `loading ${count} messages`,
      unit: 'messages per second',
      value: first.ratePerSecond,
      compared: undefined,
      target: { kind: 'none' },
    },
    memory('peak resident memory while loading', first.residentBytes, {
      kind: 'below',
      bound: memoryLimitMb,
    }),
    memory('of which anonymous (without the data file)', first.anonymousBytes, { kind: 'none' }),
    memory('peak resident memory while serving', serving.residentBytes, {
      kind: 'below',
      bound: memoryLimitMb,
    }),
    memory('of which anonymous (without the data file)', serving.anonymousBytes, { kind: 'none' }),
    memory('peak resident memory while deleting and loading again', reloading.residentBytes, {
      kind: 'below',
      bound: memoryLimitMb,
    }),
    memory('of which anonymous (without the data file)', reloading.anonymousBytes, { kind: 'none' }),
    ...queries,
    { ...start, name: 'start until ready (compared with starting empty)', value: median(starts.stoppedMs) },
    { ...start, name: 'start until ready, after kill -9', value: median(starts.killedMs) },
    {
      name: 'deleting all messages, until acknowledged',
      unit: 'ms',
      value: deletion.ackMs,
      compared: undefined,
      target: { kind: 'below', bound: 50 },
    },
    {
      name: 'p99 latency of other writes while space is reclaimed',
      unit: 'ms',
      value: percentile(deletion.duringMs, 0.99),
      compared: percentile(deletion.beforeMs, 0.99),
      target: { kind: 'ratioAtMost', bound: 3 },
    },
    {
      name: 'longest latency of these writes',
      unit: 'ms',
      value: percentile(deletion.duringMs, 1),
      compared: percentile(deletion.beforeMs, 1),
      target: { kind: 'none' },
    },
    {
      name: 'reclaiming the space',
      unit: 's',
      value: deletion.reclaimMs / 1_000,
      compared: undefined,
      target: { kind: 'none' },
    },
    {
      // The file grows once to make room for changed pages. Later changes reuse this room.
      name: 'data directory after deleting everything and loading it again',
      unit: 'MiB',
      value: secondBytes / MIB,
      compared: first.directoryBytes / MIB,
      target: { kind: 'ratioAtMost', bound: 1.3 },
    },
    {
      name: 'the same, after another round',
      unit: 'MiB',
      value: thirdBytes / MIB,
      compared: secondBytes / MIB,
      target: { kind: 'ratioAtMost', bound: 1.05 },
    },
  ];
}

function memory(name: string, bytes: number, target: Figure['target']): Figure {
  return { name, unit: 'MB', value: bytes / 1e6, compared: undefined, target };
}

/**
 * Starts a server on its data several times, after a stop and after a kill. Returns how long each start took.
 */
async function measureStarts(
  subject: ScenarioOptions['subject'],
  directory: string,
): Promise<{ readonly stoppedMs: readonly number[]; readonly killedMs: readonly number[] }> {
  const stoppedMs: number[] = [];
  const killedMs: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const stopped = await ServerProcess.start(subject, directory);
    stoppedMs.push(stopped.startMs);
    await stopped.kill();
    const killed = await ServerProcess.start(subject, directory);
    killedMs.push(killed.startMs);
    await killed.stop();
  }
  return { stoppedMs, killedMs };
}

/** Returns the median time that a server without data takes to start. */
async function measureEmptyStart(subject: ScenarioOptions['subject']): Promise<number> {
  const startMs: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    using directory = new TemporaryDirectory();
    const server = await ServerProcess.start(subject, directory.path);
    startMs.push(server.startMs);
    await server.stop();
  }
  return median(startMs);
}

/** Starts an empty server, loads the messages into it, and stops it. */
async function loadFirst(
  subject: ScenarioOptions['subject'],
  directory: string,
  count: number,
  quick: boolean,
  progress: ScenarioOptions['progress'],
): Promise<{
  readonly ratePerSecond: number;
  readonly residentBytes: number;
  readonly anonymousBytes: number;
  readonly directoryBytes: number;
}> {
  await using server = await ServerProcess.start(subject, directory);
  await putRules(server.port, NAMESPACE, {
    '.read': true,
    '.write': true,
    large: { '.indexOn': ['ts'] },
    small: { '.indexOn': ['ts'] },
  });
  using watch = new MemoryWatch(server.pid);
  using client = await Client.open(server.port, NAMESPACE);
  await loadChatMessages(client, SMALL, SMALL_COUNT);
  const startedMs = readClockMs();
  await loadChatMessages(client, LARGE, count);
  const loadMs = readClockMs() - startedMs;
  await measureQueries(server.port, count, quick ? 10 : 50);
  const highest = watch.readHighest();
  progress(`size: loaded ${count} messages in ${(loadMs / 1_000).toFixed(1)} s`);
  // The watch must end before the process does.
  watch[Symbol.dispose]();
  await server.stop();
  return {
    ...highest,
    ratePerSecond: (count / loadMs) * 1_000,
    directoryBytes: readDirectoryBytes(directory),
  };
}

type PageQuery = { readonly name: string; readonly large: Json; readonly small: Json };

/**
 * Measures each query on many messages, compared with the same query on a thousand, in alternation. Each
 * query starts after the response to the previous one.
 */
async function measureQueries(port: number, count: number, repeats: number): Promise<readonly Figure[]> {
  using client = await Client.open(port, NAMESPACE);
  const figures: Figure[] = [];
  for (const query of pageQueries(count)) {
    const largeMs: number[] = [];
    const smallMs: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      largeMs.push(await measureQuery(client, LARGE, query.large));
      smallMs.push(await measureQuery(client, SMALL, query.small));
    }
    figures.push({
      name: query.name,
      unit: 'ms',
      value: median(largeMs),
      compared: median(smallMs),
      target: { kind: 'ratioAtMost', bound: 2 },
    });
  }
  return figures;
}

function pageQueries(count: number): readonly PageQuery[] {
  const last = { i: '.key', l: PAGE, vf: 'r' };
  const lastByTime = { i: 'ts', l: PAGE, vf: 'r' };
  const from = (number: number): Json => ({ i: '.key', sp: messageKey(number), l: PAGE, vf: 'l' });
  return [
    { name: `the last ${PAGE} by key, of ${count}`, large: last, small: last },
    { name: `the last ${PAGE} by an indexed child`, large: lastByTime, small: lastByTime },
    { name: `${PAGE} from the middle by key`, large: from(count / 2), small: from(SMALL_COUNT / 2) },
  ];
}

async function measureQuery(client: Client, path: string, query: Json): Promise<number> {
  const startedMs = readClockMs();
  const page = await client.must('g', { p: path, q: query });
  const latencyMs = readClockMs() - startedMs;
  const found = isRecord(page) ? Object.keys(page).length : 0;
  if (found !== PAGE) throw new Error(`${JSON.stringify(query)} at ${path} returned ${found} messages`);
  return latencyMs;
}

/** Deletes the messages at `LARGE` while another client writes. */
async function measureDeletion(
  server: ServerProcess,
  quick: boolean,
): Promise<{
  readonly ackMs: number;
  readonly reclaimMs: number;
  readonly beforeMs: readonly number[];
  readonly duringMs: readonly number[];
}> {
  using other = await Client.open(server.port, NAMESPACE);
  using client = await Client.open(server.port, NAMESPACE);
  const calmMs = quick ? 2_000 : 10_000;
  // The first period fills `/other`, so that the measured one runs in the same state as the writes during the
  // deletion.
  await measureWriteLatencies(other, hasPassed(calmMs));
  const calm = new CpuPace(server.pid);
  const beforeMs = await measureWriteLatencies(other, hasPassed(calmMs));
  const calmPace = calm.read();
  const settled = new SettleDetector(server.pid, calmPace, quick ? 20_000 : 180_000);
  const startedMs = readClockMs();
  // Awaited only below, so that the other client continues to write.
  const deleting = client.must('p', { p: LARGE, d: null }).then(() => readClockMs() - startedMs);
  const duringMs = await measureWriteLatencies(other, () => settled.isSettled());
  const left = await client.must('g', { p: LARGE, q: {} });
  if (left !== null) throw new Error('the deleted node still exists');
  return { ackMs: await deleting, reclaimMs: settled.busyMs, beforeMs, duringMs };
}

/** Returns a function that returns whether `durationMs` have passed since this call. */
function hasPassed(durationMs: number): () => boolean {
  const untilMs = readClockMs() + durationMs;
  return () => readClockMs() >= untilMs;
}

/** The share of one processor that a process has used since this object was created. */
class CpuPace {
  readonly #pid: number;
  readonly #startedMs = readClockMs();
  readonly #startedUs: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#startedUs = readCpuUs(pid);
  }

  read(): number {
    return (readCpuUs(this.#pid) - this.#startedUs) / 1_000 / Math.max(1, readClockMs() - this.#startedMs);
  }
}

const WINDOW_MS = 500;
const CALM_WINDOWS = 4;

/**
 * Detects when a server has finished its background work: its processor use is back at the initial level. Stops waiting
 * after `limitMs`.
 */
class SettleDetector {
  /** The time from the start until the end of the last busy window. */
  busyMs = 0;
  readonly #pid: number;
  readonly #calmPace: number;
  readonly #startedMs = readClockMs();
  readonly #limitMs: number;
  #windowMs = readClockMs();
  #window: CpuPace;
  #calmWindows = 0;

  constructor(pid: number, calmPace: number, limitMs: number) {
    this.#pid = pid;
    this.#calmPace = calmPace;
    this.#limitMs = limitMs;
    this.#window = new CpuPace(pid);
  }

  isSettled(): boolean {
    const nowMs = readClockMs();
    if (nowMs - this.#windowMs >= WINDOW_MS) {
      const isCalm = this.#window.read() <= this.#calmPace * 1.3 + 0.04;
      this.#calmWindows = isCalm ? this.#calmWindows + 1 : 0;
      if (!isCalm) this.busyMs = nowMs - this.#startedMs;
      this.#windowMs = nowMs;
      this.#window = new CpuPace(this.#pid);
    }
    return this.#calmWindows >= CALM_WINDOWS || nowMs - this.#startedMs > this.#limitMs;
  }
}
