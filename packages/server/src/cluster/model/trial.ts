import { systemClock } from '../../platform/clock.ts';
import { JetStream } from '../jetstream.ts';
import { Member } from '../member.ts';
import type { ReplicatedLog } from '../replicated-log.ts';
import { systemTimers } from '../timers.ts';
import { Choices } from './choices.ts';
import { type CounterAnswer, CounterProposer, type CounterRequest, CounterView } from './counters.ts';
import { History } from './history.ts';

export interface TrialOptions {
  readonly servers: readonly string[];
  readonly monitors: readonly string[];
  readonly replicas: number;
  readonly seed: number;
  readonly durationMs: number;
  /** Causes faults during the trial. Called every `FAULT_MS` until the end. */
  readonly makeFault?: ((choices: Choices) => Promise<void>) | undefined;
}

export interface TrialResult {
  readonly acknowledged: number;
  readonly rejected: number;
  readonly epochs: number;
  readonly deadMessages: number;
  readonly p50Ms: number;
  readonly longestMs: number;
}

const NODES = 3;
const CLIENTS = 16;
const COUNTERS = 4;
const FAULT_MS = 1_500;
const CLIENT_TIMEOUT_MS = 3_000;
const RETRY_MS = 20;
const READ_MESSAGES = 256;

const timers = systemTimers(systemClock);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => timers.after(ms, resolve));

/** A node of a trial, with its own connection. */
class TrialNode {
  readonly #options: TrialOptions;
  readonly #name: string;
  readonly #shard: string;
  #jetStream: JetStream | undefined;
  #incarnation = 0;
  view = new CounterView();
  proposer = new CounterProposer(this.view);
  member: Member | undefined;

  constructor(options: TrialOptions, name: string, shard: string) {
    this.#options = options;
    this.#name = name;
    this.#shard = shard;
  }

  async start(): Promise<void> {
    const { servers, monitors, replicas } = this.#options;
    this.#jetStream = await JetStream.open({ servers, monitors, replicas, cluster: 'trial' });
    const log = await this.#jetStream.openShard(this.#shard);
    this.proposer = new CounterProposer(this.view);
    this.member = new Member({
      shard: this.#shard,
      node: this.#name,
      incarnation: String(this.#incarnation++),
      log,
      view: this.view,
      proposer: this.proposer,
      timers,
      onStop: (reason) => {
        throw new Error(`A node stopped: ${JSON.stringify(reason)}`);
      },
    });
  }

  /** Ends the node without a farewell. Its view loses the last records. */
  async crash(lostRecords: number): Promise<void> {
    this.member?.close();
    this.member = undefined;
    this.view = this.view.crashed(lostRecords);
    await this.#jetStream?.[Symbol.asyncDispose]();
  }

  /** Reads the whole log. */
  async readAll(): Promise<readonly Buffer[]> {
    const log = await this.#jetStream?.openShard(this.#shard);
    return log === undefined ? [] : await readAll(log);
  }

  async removeLog(): Promise<void> {
    await this.#jetStream?.deleteShard(this.#shard);
  }

  async stop(): Promise<void> {
    this.member?.close();
    await this.#jetStream?.[Symbol.asyncDispose]();
  }
}

async function readAll(log: ReplicatedLog): Promise<readonly Buffer[]> {
  const extent = await retry(() => new Promise<{ last: number } | undefined>((done) => log.extent(done)));
  const messages: Buffer[] = [];
  while (messages.length < extent.last)
    await new Promise<void>((done) =>
      log.read(messages.length + 1, READ_MESSAGES, (read) => {
        for (const { slot, message } of read) if (slot === messages.length + 1) messages.push(message);
        done();
      }),
    );
  return messages;
}

async function retry<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(RETRY_MS);
  }
}

/**
 * Runs three nodes on real NATS servers, under load. While it runs, nodes crash, hand over and claim terms while
 * others are in theirs. Then compares the answers that clients received with the log, and throws if they disagree.
 */
export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  const choices = new Choices(options.seed);
  const shard = `${options.seed}-${process.pid}`;
  const nodes = Array.from({ length: NODES }, (_, index) => new TrialNode(options, `node-${index}`, shard));
  for (const node of nodes) await node.start();
  try {
    const history = new History();
    const latencies: number[] = [];
    const endMs = timers.elapsedMs() + options.durationMs;
    const isOver = (): boolean => timers.elapsedMs() >= endMs;
    await Promise.all([
      makeFaults(nodes, choices, options, isOver),
      ...Array.from({ length: CLIENTS }, (_, session) =>
        runClient(nodes, session + 1, { choices, history, latencies, isOver }),
      ),
    ]);
    const messages = await nodes[0]?.readAll();
    await retry(async () => nodes.every(({ view }) => view.position.slot === messages?.length) || undefined);
    history.check(
      messages ?? [],
      nodes.map(({ view }) => view),
    );
    latencies.sort((a, b) => a - b);
    return {
      acknowledged: history.acknowledged,
      rejected: history.rejected,
      epochs: nodes[0]?.view.position.epoch ?? 0,
      deadMessages: Math.max(...nodes.map(({ member }) => member?.sequencer.follower.deadMessages ?? 0)),
      p50Ms: Math.round((latencies[latencies.length >> 1] ?? 0) * 10) / 10,
      longestMs: Math.round(latencies.at(-1) ?? 0),
    };
  } finally {
    await nodes[0]?.removeLog();
    for (const node of nodes) await node.stop();
  }
}

async function makeFaults(
  nodes: readonly TrialNode[],
  choices: Choices,
  { makeFault }: TrialOptions,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    await sleep(FAULT_MS);
    if (isOver()) return;
    const node = choices.pick(nodes);
    const sequencer = nodes.find(({ member }) => member?.sequencer.epoch !== undefined) ?? node;
    switch (choices.below(makeFault === undefined ? 3 : 4)) {
      case 0:
        node.member?.sequencer.claim();
        break;
      case 1:
        sequencer.member?.release();
        break;
      case 2:
        await sequencer.crash(choices.below(3));
        await restart(sequencer);
        break;
      default:
        await makeFault?.(choices);
    }
  }
}

/** Starts a node that has crashed. The server that it finds first may be down at the moment. */
async function restart(node: TrialNode): Promise<void> {
  await retry(async () => {
    try {
      await node.start();
      return true;
    } catch {
      await node.stop();
      return undefined;
    }
  });
}

interface ClientOptions {
  readonly choices: Choices;
  readonly history: History;
  readonly latencies: number[];
  readonly isOver: () => boolean;
}

async function runClient(
  nodes: readonly TrialNode[],
  session: number,
  { choices, history, latencies, isOver }: ClientOptions,
): Promise<void> {
  for (let n = 1; !isOver(); n++) {
    const key = choices.below(COUNTERS);
    const expected = choices.happens(0.2) ? (choices.pick(nodes).view.values.get(key) ?? 0) : null;
    const request = { session, n, key, expected };
    const startedMs = timers.elapsedMs();
    const answer = await retry(async () =>
      (await Promise.all(nodes.map((node) => send(node, request)))).find(Boolean),
    );
    latencies.push(timers.elapsedMs() - startedMs);
    history.record(request, answer);
  }
}

/** Sends a request to a node, if it is a sequencer. Resolves with `undefined` if the client has to try again. */
function send({ member, proposer }: TrialNode, request: CounterRequest): Promise<CounterAnswer | undefined> {
  return new Promise((resolve) => {
    if (member?.sequencer.epoch === undefined) {
      resolve(undefined);
      return;
    }
    timers.after(CLIENT_TIMEOUT_MS, () => resolve(undefined));
    proposer.submit({ request, answer: resolve });
    member.sequencer.wake();
  });
}
