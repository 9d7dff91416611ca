import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../platform/clock.ts';
import { encodeHandOver } from '../../bulletin.ts';
import { JetStream } from '../../jetstream.ts';
import { SHARD } from '../node.ts';
import { DATABASE } from './clients.fixture.ts';
import type { NodeProcess } from './node-process.fixture.ts';

export interface HandOverPause {
  /** Longest time between two acknowledgments of all clients together, in ms. */
  readonly pauseMs: number;
  /** The same before the hand-over. */
  readonly usualMs: number;
  /** Number of requests whose connection ended without a response, and that were sent again. */
  readonly repeated: number;
}

/** Number of acknowledgments before and after. */
const ACKNOWLEDGED = 60;
const WITHIN_MS = 60_000;
const POLL_MS = 20;

/** What came of a request. A connection may end without a response: then the client sends the request again. */
type Answer =
  | { readonly kind: 'acknowledged' | 'no-response' }
  | { readonly kind: 'problem'; readonly text: string };

/** A client that writes through one node without a pause. Each request has a connection of its own. */
class Writer {
  readonly #node: NodeProcess;
  readonly #token: string;
  readonly #name: string;
  readonly problems: string[] = [];
  readonly acknowledgedAtMs: number[] = [];
  /** Number of requests that were sent again. */
  repeated = 0;
  isOver = false;

  constructor(node: NodeProcess, token: string, name: string) {
    this.#node = node;
    this.#token = token;
    this.#name = name;
  }

  async run(): Promise<void> {
    while (!this.isOver) {
      const answer = await this.#write(this.acknowledgedAtMs.length + 1);
      if (answer.kind === 'acknowledged') this.acknowledgedAtMs.push(systemClock.elapsedMs());
      else if (answer.kind === 'problem') this.problems.push(answer.text);
      else this.repeated += 1;
    }
    const { text } = await this.#send('GET');
    if (text !== String(this.acknowledgedAtMs.length))
      this.problems.push(`${this.#name} is ${text} instead of ${this.acknowledgedAtMs.length}`);
  }

  async #write(count: number): Promise<Answer> {
    try {
      const { status, text } = await this.#send('PUT', String(count));
      return status === 200 ? { kind: 'acknowledged' } : { kind: 'problem', text: `${status} ${text}` };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ECONNRESET' ? { kind: 'no-response' } : { kind: 'problem', text: String(error) };
    }
  }

  #send(method: string, body = ''): Promise<{ readonly status: number; readonly text: string }> {
    const url = `${this.#node.url}/hand-over/${this.#name}.json?ns=${DATABASE}`;
    const headers = { authorization: `Bearer ${this.#token}` };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }
}

/**
 * Writes through all nodes while one of them hands over. `handOver` starts that. Throws if a request fails.
 */
export async function measureHandOver(
  nodes: readonly NodeProcess[],
  token: string,
  handOver: () => Promise<void>,
): Promise<HandOverPause> {
  const writers = nodes.map((node, index) => new Writer(node, token, `writer-${index}`));
  const running = Promise.all(writers.map((writer) => writer.run()));
  const times = (): readonly number[] =>
    writers.flatMap(({ acknowledgedAtMs }) => acknowledgedAtMs).sort((a, b) => a - b);
  const waitFor = async (condition: () => boolean): Promise<void> => {
    for (const untilMs = systemClock.elapsedMs() + WITHIN_MS; !condition(); await sleep(POLL_MS))
      if (systemClock.elapsedMs() > untilMs) throw new Error(`no hand-over: ${nodes.map(({ log }) => log)}`);
  };
  await waitFor(() => times().length >= ACKNOWLEDGED);
  const terms = countTerms(nodes);
  const startedMs = systemClock.elapsedMs();
  await handOver();
  await waitFor(() => countTerms(nodes) > terms);
  const ledAtMs = systemClock.elapsedMs();
  await waitFor(() => times().filter((atMs) => atMs > ledAtMs).length >= ACKNOWLEDGED);
  for (const writer of writers) writer.isOver = true;
  await running;
  const problems = writers.flatMap((writer) => writer.problems);
  if (problems.length > 0) throw new Error(`requests fail during a hand-over: ${problems.join(', ')}`);
  const before = times().filter((atMs) => atMs <= startedMs);
  return {
    pauseMs: longestGap(times().filter((atMs) => atMs >= (before.at(-1) ?? 0))),
    usualMs: longestGap(before),
    repeated: writers.reduce((sum, writer) => sum + writer.repeated, 0),
  };
}

/** Returns how often the nodes have begun to lead. */
function countTerms(nodes: readonly NodeProcess[]): number {
  return nodes.reduce((sum, { log }) => sum + (log.match(/this node leads the cluster/g)?.length ?? 0), 0);
}

function longestGap(times: readonly number[]): number {
  return Math.round(Math.max(0, ...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))));
}

/** Asks the node that leads to hand over, as `hearth cluster hand-over` does. */
export async function askToHandOver(servers: readonly string[]): Promise<void> {
  await using jetStream = await JetStream.open({ servers, monitors: [], cluster: 'hearth', replicas: 3 });
  await jetStream.publish(SHARD, encodeHandOver(''));
}
