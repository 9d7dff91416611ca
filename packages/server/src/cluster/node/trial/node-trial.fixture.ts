import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../platform/clock.ts';
import { LmdbStore } from '../../../storage/kv/lmdb.ts';
import { Follower } from '../../follower.ts';
import { JetStream } from '../../jetstream.ts';
import { Choices } from '../../model/choices.ts';
import { findFreePorts, NatsServers } from '../../nats-servers.fixture.ts';
import type { ReplicatedLog } from '../../replicated-log.ts';
import { readExtent } from '../../snapshots/snapshot.ts';
import { contentHash } from '../content-hash.ts';
import { SHARD } from '../node.ts';
import { ReplicatedStore } from '../replicated-store.ts';
import { createProject, DATABASE, TrialClient } from './clients.fixture.ts';
import { askToHandOver } from './hand-over-trial.fixture.ts';
import { NodeProcess } from './node-process.fixture.ts';

export interface NodeTrialOptions {
  /** Path of the NATS server. */
  readonly program: string;
  readonly rounds: number;
  readonly seed: number;
  /** Receives a line for each round. */
  readonly report: (line: string) => void;
}

export interface NodeTrialResult {
  readonly acknowledged: number;
  /** Number of writes without an answer, which may or may not exist. */
  readonly unanswered: number;
  readonly p50Ms: number;
  readonly longestMs: number;
  /** Number of messages that were removed from the log. */
  readonly trimmed: number;
  /** Number of times that a node has loaded a snapshot. */
  readonly loaded: number;
}

const NODES = 3;
const CLIENTS = 8;
const LOAD_MS = 1_500;
const FROZEN_MS = 4_000;
const POLL_MS = 50;
const CALM_WITHIN_MS = 120_000;
const LOADED_WITHIN_MS = 3_000;

/** The faults of the rounds: each changes nodes or servers while clients write. */
const FAULTS = [
  'kill the leader',
  'kill a follower',
  'stop the leader',
  'freeze the leader',
  'kill a NATS server',
  'kill the leader and a NATS server',
  'empty a follower',
  'let the leader hand over',
] as const;

type Fault = (typeof FAULTS)[number];

/**
 * Runs three servers and three NATS servers as processes, with clients that write through all of them, and a fault in
 * each round. Then compares the answers of the clients with what the cluster contains, and the nodes with each other.
 * Throws if they disagree.
 */
export class NodeTrial implements AsyncDisposable {
  readonly #options: NodeTrialOptions;
  readonly #choices: Choices;
  readonly #servers: NatsServers;
  readonly #directory: string;
  readonly nodes: readonly NodeProcess[];
  #token = '';
  #trimmed = 0;
  #loaded = 0;

  private constructor(
    options: NodeTrialOptions,
    servers: NatsServers,
    directory: string,
    ports: readonly number[],
  ) {
    this.#options = options;
    this.#choices = new Choices(options.seed);
    this.#servers = servers;
    this.#directory = directory;
    this.nodes = Array.from(
      { length: NODES },
      (_, index) =>
        new NodeProcess({
          directory,
          name: `node-${index}`,
          port: ports[2 * index] ?? 0,
          linkPort: ports[2 * index + 1] ?? 0,
          natsServers: servers.addresses,
          natsMonitors: servers.monitors,
        }),
    );
  }

  static async start(options: NodeTrialOptions): Promise<NodeTrial> {
    const servers = await NatsServers.start({ program: options.program, count: 3 });
    const directory = mkdtempSync(join(tmpdir(), 'hearth-cluster-'));
    const trial = new NodeTrial(options, servers, directory, await findFreePorts(2 * NODES));
    for (const node of trial.nodes) node.start();
    await Promise.all(trial.nodes.map((node) => node.ready()));
    trial.#token = trial.nodes[0]?.token ?? '';
    await createProject(
      trial.nodes.map(({ url }) => url),
      trial.#token,
    );
    return trial;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) {
      node.signal('SIGCONT');
      await node.end('SIGKILL');
    }
    await this.#servers[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The addresses of the NATS servers. */
  get servers(): readonly string[] {
    return this.#servers.addresses;
  }

  /** Sends one request to a node. Resolves with the text of an answer with status 200, otherwise with `undefined`. */
  async ask(node: NodeProcess, path: string, request: RequestInit = {}): Promise<string | undefined> {
    try {
      const response = await fetch(`${node.url}/${path}.json?ns=${DATABASE}`, {
        ...request,
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(CALM_WITHIN_MS),
      });
      const text = await response.text();
      return response.status === 200 ? text : undefined;
    } catch {
      return undefined;
    }
  }

  async run(): Promise<NodeTrialResult> {
    const urls = this.nodes.map(({ url }) => url);
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) =>
        new TrialClient({ name: `client-${index}`, urls, token: this.#token, choices: this.#choices }),
    );
    let isOver = false;
    const running = Promise.all(clients.map((client) => client.run(() => isOver)));
    try {
      for (let round = 1; round <= this.#options.rounds; round++) {
        const fault = FAULTS[(round - 1) % FAULTS.length] ?? 'kill the leader';
        const startedMs = systemClock.elapsedMs();
        await sleep(LOAD_MS);
        await this.#cause(fault);
        await this.#calm();
        const tookMs = Math.round(systemClock.elapsedMs() - startedMs);
        this.#options.report(`round ${round}: ${fault}, calm after ${tookMs} ms`);
      }
    } finally {
      isOver = true;
      await running;
    }
    return this.#check(clients);
  }

  async #cause(fault: Fault): Promise<void> {
    const leader = this.#findLeader();
    const follower = this.#choices.pick(this.nodes.filter((node) => node !== leader));
    switch (fault) {
      case 'kill the leader':
        await restart(leader, 'SIGKILL');
        return;
      case 'kill a follower':
        await restart(follower, 'SIGKILL');
        return;
      case 'stop the leader':
        await restart(leader, 'SIGTERM');
        return;
      case 'freeze the leader':
        leader.signal('SIGSTOP');
        await sleep(FROZEN_MS);
        leader.signal('SIGCONT');
        return;
      case 'kill a NATS server':
        await this.#servers.restartOne(this.#choices);
        return;
      case 'kill the leader and a NATS server':
        await Promise.all([this.#servers.restartOne(this.#choices), restart(leader, 'SIGKILL')]);
        return;
      case 'empty a follower':
        await follower.end('SIGKILL');
        follower.removeData();
        follower.start();
        await follower.ready();
        if (await this.#hasLoaded(follower)) this.#loaded += 1;
        return;
      case 'let the leader hand over':
        await askToHandOver(this.servers);
        return;
      default:
        fault satisfies never;
    }
  }

  /** Resolves with whether a node loads a snapshot within some seconds. Otherwise it reads the whole log. */
  async #hasLoaded(node: NodeProcess): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < LOADED_WITHIN_MS; waitedMs += POLL_MS) {
      if (node.log.includes('a snapshot was loaded')) return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** Returns the node that said last that it leads. */
  #findLeader(): NodeProcess {
    const times = this.nodes.map((node) => {
      const lines = node.log.match(/^.*this node leads the cluster.*$/gm) ?? [];
      return Number(/"time":(\d+)/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
    });
    const node = this.nodes[times.indexOf(Math.max(...times))];
    if (node === undefined) throw new Error('There is no node.');
    return node;
  }

  /** Resolves when a write through each node is acknowledged. */
  async #calm(): Promise<void> {
    const deadlineMs = systemClock.elapsedMs() + CALM_WITHIN_MS;
    for (const node of this.nodes)
      while ((await this.ask(node, 'calm', { method: 'PUT', body: 'true' })) === undefined) {
        if (systemClock.elapsedMs() > deadlineMs)
          throw new Error(`A node does not answer: ${this.nodes.map(({ log }) => log).join('\n')}`);
        await sleep(POLL_MS);
      }
  }

  async #check(clients: readonly TrialClient[]): Promise<NodeTrialResult> {
    const problems = clients.flatMap((client) => client.problems);
    const [node] = this.nodes;
    const items = JSON.parse((node && (await this.ask(node, 'items'))) ?? 'null') as Record<
      string,
      string
    > | null;
    const values = JSON.parse((node && (await this.ask(node, 'values'))) ?? 'null') as Record<
      string,
      number
    > | null;
    const counts = new Map<string, number>();
    for (const item of Object.values(items ?? {})) counts.set(item, (counts.get(item) ?? 0) + 1);
    for (const [item, count] of counts) if (count > 1) problems.push(`${item} exists ${count} times`);
    for (const { name, value, added, attempted } of clients) {
      for (const item of added) if (!counts.has(item)) problems.push(`${item} was acknowledged and is lost`);
      for (const item of attempted) counts.delete(item);
      if ((values?.[name] ?? 0) !== value) problems.push(`${name} has ${values?.[name]} instead of ${value}`);
    }
    for (const item of counts.keys()) problems.push(`${item} was never written`);
    problems.push(...(await this.#compareNodes()));
    if (problems.length > 0) throw new Error(`seed ${this.#options.seed}: ${problems.join('\n')}`);
    const latencies = clients.flatMap((client) => client.latencies).sort((a, b) => a - b);
    const acknowledged = clients.reduce((sum, { added, value }) => sum + added.size + value, 0);
    const attempted = clients.reduce((sum, client) => sum + client.attempted.size - client.added.size, 0);
    return {
      acknowledged,
      unanswered: attempted,
      p50Ms: Math.round(10 * (latencies[latencies.length >> 1] ?? 0)) / 10,
      longestMs: Math.round(latencies.at(-1) ?? 0),
      trimmed: this.#trimmed,
      loaded: this.#loaded,
    };
  }

  /** Stops the nodes, lets each directory read the log to its end, and compares what they contain. */
  async #compareNodes(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const node of this.nodes) {
      const code = await node.end('SIGTERM');
      if (code !== 0) problems.push(`a node ended with ${code}: ${node.log}`);
    }
    const { addresses: servers, monitors } = this.#servers;
    await using jetStream = await JetStream.open({ servers, monitors, replicas: 3, cluster: 'hearth' });
    const log = await jetStream.openShard(SHARD);
    this.#trimmed = ((await readExtent(log))?.first ?? 1) - 1;
    const hashes: string[] = [];
    for (const { dataPath } of this.nodes) hashes.push(await readToEnd(dataPath, log));
    if (new Set(hashes).size !== 1) problems.push(`the nodes differ: ${hashes.join(', ')}`);
    return problems;
  }
}

async function restart(node: NodeProcess, signal: NodeJS.Signals): Promise<void> {
  await node.end(signal);
  node.start();
  await node.ready();
}

/** Applies the rest of the log to a directory. Returns the hash of its contents. */
async function readToEnd(directory: string, log: ReplicatedLog): Promise<string> {
  const ignore = (): void => undefined;
  const store = new LmdbStore({ directory });
  using view = new ReplicatedStore({
    store,
    incarnation: '0'.repeat(16),
    isCurrent: () => true,
    onBatch: ignore,
    onLead: ignore,
    onLost: ignore,
  });
  const follower = new Follower({
    log,
    view,
    timers: { elapsedMs: () => performance.now() },
    onRead: ignore,
    onStop: ignore,
  });
  for (;;) {
    const extent = await readExtent(log);
    if (extent !== undefined && follower.position.slot >= extent.last) break;
    if (follower.stopped !== undefined) return JSON.stringify(follower.stopped);
    await new Promise<number>((done) => follower.pull(done));
  }
  view.persist();
  return contentHash(store);
}
