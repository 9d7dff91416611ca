import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../network/http.ts';
import { isJsonObject, parseObject } from '../network/json.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { CrowdReport, CrowdWork } from './latencies.ts';

const WRITERS = 20;
const READERS = 4;
const ACCOUNTS = 4;
const PAUSE_MS = { write: 200, read: 100, newcomer: 100, signIn: 900, administration: 500 } as const;

/** Hosts of the crowd: the writers come first. */
const FIRST_READER_HOST = 100;
const FIRST_ACCOUNT_HOST = 150;
const NEWCOMER_HOST = 200;

/** Maximum number of failures that a report quotes. */
const MAX_FAILURES = 20;

export const PASSWORD = 'a long and decent passphrase';

/** The rules of the database in which the crowd works. Attackers have paths of their own. */
export const CROWD_RULES = {
  crowd: { $client: { '.read': true, '.write': true } },
} as const;

/**
 * Clients that behave well, each from an address of its own: writers that listen to what they write, readers over
 * REST, a newcomer who opens a connection for each request, users who sign in, and an administrator. Records the latency of each response, and everything that fails.
 */
export class Crowd implements AsyncDisposable {
  readonly #target: Target;
  readonly #hearth: Hearth;
  readonly #ended = new AbortController();
  readonly #work: Promise<void>[] = [];
  readonly #clients: Disposable[] = [];
  #latenciesMs: Record<CrowdWork, number[]> = createLatencies();
  #failures: string[] = [];

  private constructor(hearth: Hearth) {
    this.#hearth = hearth;
    this.#target = hearth.target;
  }

  /** Creates the accounts of the crowd and begins its work. */
  static async start(hearth: Hearth): Promise<Crowd> {
    const crowd = new Crowd(hearth);
    for (let index = 0; index < ACCOUNTS; index++)
      await hearth.administer('POST', `/v1/projects/${hearth.target.projectId}/accounts`, {
        email: emailOf(index),
        password: PASSWORD,
      });
    const writers = Array.from({ length: WRITERS }, (_, host) => crowd.#openWriter(host));
    for (const write of await Promise.all(writers)) crowd.#repeat('write', write);
    for (let index = 0; index < READERS; index++) crowd.#repeat('read', crowd.#openReader(index));
    crowd.#repeat('newcomer', crowd.#openNewcomer());
    crowd.#repeat('signIn', crowd.#openUsers());
    crowd.#repeat('administration', () => crowd.#administer());
    return crowd;
  }

  /** Returns the latencies and failures since the last call. */
  take(): CrowdReport {
    const report = { latenciesMs: this.#latenciesMs, failures: this.#failures };
    this.#latenciesMs = createLatencies();
    this.#failures = [];
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    // A server that hangs answers no request: only the end of its connection ends it.
    for (const client of this.#clients) client[Symbol.dispose]();
    await Promise.all(this.#work);
  }

  /**
   * Repeats a task with pauses until disposal. The task returns its latency, or a sentence if it failed. The time for
   * which other programs kept the server from running is not part of the latency.
   */
  #repeat(kind: CrowdWork, task: () => Promise<number | string>): void {
    const run = async (): Promise<void> => {
      // The clients of one kind must not send at the same time.
      await sleep(PAUSE_MS[kind] * Math.random());
      while (!this.#ended.signal.aborted) {
        const waitedMs = this.#hearth.readWaitedMs();
        const result = await task();
        if (this.#ended.signal.aborted) return;
        if (typeof result === 'number')
          this.#latenciesMs[kind].push(Math.max(0, result - (this.#hearth.readWaitedMs() - waitedMs)));
        else if (this.#failures.length < MAX_FAILURES) this.#failures.push(`${kind}: ${result}`);
        await sleep(PAUSE_MS[kind] * (0.5 + Math.random()));
      }
    };
    this.#work.push(run());
  }

  async #openWriter(host: number): Promise<() => Promise<number | string>> {
    const path = `/crowd/c${host}`;
    let pushed: unknown;
    const client = await RealtimeClient.open(
      this.#target,
      { side: 'crowd', host },
      {
        onPush: (action, body) => {
          if (action === 'd' && body['p'] === path.slice(1)) pushed = body['d'];
        },
      },
    );
    if (client === undefined) return () => Promise.resolve('the connection was not accepted');
    this.#clients.push({ [Symbol.dispose]: () => client.close() });
    const listening = await client.request('q', { p: path, h: '' });
    if (listening.status !== 'ok') return () => Promise.resolve(`the listen ended with ${listening.status}`);
    let count = 0;
    return async () => {
      count += 1;
      const { status, tookMs } = await client.request('p', { p: path, d: { count, text: 'x'.repeat(50) } });
      if (status !== 'ok') return `a write ended with ${status}`;
      if (!isJsonObject(pushed) || pushed['count'] !== count)
        return 'a write was confirmed without its event';
      return tookMs;
    };
  }

  #openReader(index: number): () => Promise<number | string> {
    const client = new HttpClient(this.#target, { side: 'crowd', host: FIRST_READER_HOST + index });
    this.#clients.push(client);
    return async () => {
      const { status, text, tookMs } = await client.ask({
        path: `/crowd/c${index}.json?ns=${this.#target.namespace}`,
      });
      return status === 200 ? tookMs : `a read ended with ${status} ${text.slice(0, 200)}`;
    };
  }

  #openNewcomer(): () => Promise<number | string> {
    const client = new HttpClient(this.#target, { side: 'crowd', host: NEWCOMER_HOST }, 0);
    this.#clients.push(client);
    return async () => {
      const { status, text, tookMs } = await client.ask({ path: '/healthz' });
      return status === 200 ? tookMs : `a newcomer got ${status} ${text.slice(0, 200)}`;
    };
  }

  #openUsers(): () => Promise<number | string> {
    const clients = Array.from({ length: ACCOUNTS }, (_, index) => {
      // Each sign-in is that of a newcomer, with a connection of its own.
      const client = new HttpClient(this.#target, { side: 'crowd', host: FIRST_ACCOUNT_HOST + index }, 0);
      this.#clients.push(client);
      return client;
    });
    let round = 0;
    return async () => {
      const index = round % ACCOUNTS;
      round += 1;
      const client = clients[index];
      if (client === undefined) return 'there is no account';
      const { status, text, tookMs } = await client.post(
        `/v1/accounts:signInWithPassword?key=${this.#target.apiKey}`,
        { email: emailOf(index), password: PASSWORD, returnSecureToken: true },
      );
      if (status !== 200) return `a sign-in ended with ${status} ${text.slice(0, 200)}`;
      return typeof parseObject(text)['idToken'] === 'string' ? tookMs : 'a sign-in gave no token';
    };
  }

  async #administer(): Promise<number | string> {
    const startedMs = performance.now();
    try {
      await this.#hearth.administer('GET', '/api/server/activity');
      return performance.now() - startedMs;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function emailOf(index: number): string {
  return `user${index}@crowd.example`;
}

function createLatencies(): Record<CrowdWork, number[]> {
  return { write: [], read: [], newcomer: [], signIn: [], administration: [] };
}
