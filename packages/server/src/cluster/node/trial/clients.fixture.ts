import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../platform/clock.ts';
import type { Choices } from '../../model/choices.ts';

export interface ClientOptions {
  /** Name of the client, unique in the trial. */
  readonly name: string;
  /** The addresses of the nodes. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly choices: Choices;
}

export const PROJECT = 'trial';
export const DATABASE = `${PROJECT}-default-rtdb`;

/** Longer than a change of the leader, so that most requests are answered. */
const TIMEOUT_MS = 20_000;
const RETRY_MS = 50;
const CREATED_WITHIN_MS = 60_000;

/**
 * Creates the project to which the database belongs, through one of the nodes. A busy machine can delay the heartbeats of
 * the leader so long that another node leads, and the first one starts again: then it tries the next node.
 */
export async function createProject(urls: readonly string[], token: string): Promise<void> {
  const deadlineMs = systemClock.elapsedMs() + CREATED_WITHIN_MS;
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${urls[tries % urls.length]}/api/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: PROJECT }),
    }).then(async (response) => `${response.status} ${await response.text()}`, String);
    // A request without an answer may have been executed.
    if (/^20[01] /.test(answer) || (tries > 0 && answer.includes('already exists'))) return;
    if (systemClock.elapsedMs() > deadlineMs) throw new Error(`The project cannot be created: ${answer}`);
    await sleep(RETRY_MS);
  }
}

/** One client: what it has written, and which answers it has received. */
export class TrialClient {
  readonly #options: ClientOptions;
  /** Number of the last value that was acknowledged under the client's own key. */
  #value = 0;
  /** Items that were added with an acknowledgment. */
  readonly added = new Set<string>();
  /** Items that may have been added. */
  readonly attempted = new Set<string>();
  readonly latencies: number[] = [];
  readonly problems: string[] = [];

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get value(): number {
    return this.#value;
  }

  /** Writes and reads until `isOver` returns true, each time through some node. */
  async run(isOver: () => boolean): Promise<void> {
    const { choices } = this.#options;
    while (!isOver()) {
      if (choices.happens(0.5)) await this.#replaceValue();
      else await this.#addItem();
    }
  }

  /** Replaces the value of the client's key on the condition that it is the last one, and reads it through another node. */
  async #replaceValue(): Promise<void> {
    const { choices, urls } = this.#options;
    const path = `values/${this.name}`;
    const next = this.#value + 1;
    for (;;) {
      const read = await this.#ask(choices.pick(urls), path, { headers: { 'x-firebase-etag': 'true' } });
      if (read === undefined) continue;
      const found = Number(read.text === 'null' ? 0 : read.text);
      // A write without an answer may have been executed. It is never executed twice.
      if (found === next) break;
      if (found !== this.#value) {
        this.problems.push(`${this.name} reads ${found} after ${this.#value}`);
        return;
      }
      const written = await this.#ask(choices.pick(urls), path, {
        method: 'PUT',
        body: String(next),
        headers: { 'if-match': read.etag },
      });
      if (written?.status === 200) break;
    }
    this.#value = next;
    const seen = await this.#ask(choices.pick(urls), path, {});
    if (seen !== undefined && seen.text !== String(next))
      this.problems.push(`${this.name} reads ${seen.text} after the acknowledgment of ${next}`);
  }

  /** Adds an item under a new key, once. */
  async #addItem(): Promise<void> {
    const { choices, urls } = this.#options;
    const item = `${this.name}-${this.attempted.size}`;
    this.attempted.add(item);
    const answer = await this.#ask(choices.pick(urls), 'items', {
      method: 'POST',
      body: JSON.stringify(item),
    });
    if (answer !== undefined) this.added.add(item);
  }

  /** Resolves with `undefined` if there is no answer, or the node cannot answer at the moment. */
  async #ask(
    url: string,
    path: string,
    request: RequestInit,
  ): Promise<{ readonly status: number; readonly text: string; readonly etag: string } | undefined> {
    const startedMs = systemClock.elapsedMs();
    try {
      const response = await fetch(`${url}/${path}.json?ns=${DATABASE}`, {
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${this.#options.token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      this.latencies.push(systemClock.elapsedMs() - startedMs);
      if (response.status === 200 || response.status === 412)
        return { status: response.status, text, etag: response.headers.get('etag') ?? '' };
      if (response.status !== 503) this.problems.push(`${this.name} receives ${response.status} ${text}`);
    } catch {
      // The node was killed, or its leader was.
    }
    await sleep(RETRY_MS);
    return undefined;
  }
}
