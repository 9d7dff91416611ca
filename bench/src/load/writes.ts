import type { Client } from '../client/client.ts';
import { encodeClientFrame } from '../client/frames.ts';
import { RawSocket } from '../client/raw-socket.ts';
import { pause, readClockMs } from '../measure/time.ts';
import type { Stretch } from '../server/loaded-server.ts';

/** The requests of a write load. */
export type WriteWork = {
  /** Unsigned token for sign-in; `null` for anonymous clients. */
  readonly credential: string | null;
  /** Returns the path and the JSON text of a write. The pair of `stream` and `request` is unique. */
  readonly encode: (stream: number, request: number) => { readonly path: string; readonly json: string };
  /** The expected status of every response. */
  readonly status: 'ok' | 'permission_denied';
};

const ROOMS = 16;

/** Small chat messages from anonymous clients. */
const APPEND_MESSAGES: WriteWork = {
  credential: null,
  encode: (stream, request) => {
    const room = request % ROOMS;
    return {
      path: `/bench/room${room}/${messageKey(stream, request)}`,
      json: `{"author":"user${room}","text":"a short line of talk, number ${request}","ts":${1_750_000_000_000 + request}}`,
    };
  },
  status: 'ok',
};

/** Returns a key that increases with the requests of a stream. */
export function messageKey(stream: number, request: number): string {
  return `-N${stream}${String(request).padStart(16, '0')}`;
}

const SOCKETS = 4;
const OUTSTANDING_PER_SOCKET = 256;
const STALL_LIMIT_MS = 10_000;

/** Several connections that write, with a constant number of unanswered writes. */
export class WriteLoad {
  readonly #streams: readonly WriteStream[];

  private constructor(streams: readonly WriteStream[]) {
    this.#streams = streams;
  }

  static async open(port: number, namespace: string, work: WriteWork = APPEND_MESSAGES): Promise<WriteLoad> {
    const streams = Array.from({ length: SOCKETS }, (_, number) => new WriteStream(number, work));
    await Promise.all(streams.map((stream) => stream.open(port, namespace)));
    return new WriteLoad(streams);
  }

  /**
   * Writes for `durationMs`, then waits for all responses. Throws if a response has another status than
   * expected, or if responses stop.
   */
  async run(durationMs: number): Promise<Stretch> {
    const startedMs = readClockMs();
    const counts = await Promise.all(this.#streams.map((stream) => stream.run(durationMs)));
    return {
      done: counts.reduce((total, count) => total + count, 0),
      durationMs: readClockMs() - startedMs,
    };
  }

  [Symbol.dispose](): void {
    for (const stream of this.#streams) stream.close();
  }
}

class WriteStream {
  readonly #number: number;
  readonly #work: WriteWork;
  readonly #wanted: string;
  #socket: RawSocket | undefined;
  #request = 0;
  #answered = 0;
  #answeredNow = 0;
  #untilMs = 0;
  #done: PromiseWithResolvers<void> | undefined;
  #signedIn: PromiseWithResolvers<void> | undefined;

  constructor(number: number, work: WriteWork) {
    this.#number = number;
    this.#work = work;
    this.#wanted = `"s":"${work.status}"`;
  }

  async open(port: number, namespace: string): Promise<void> {
    this.#socket = await RawSocket.open(port, namespace, {
      onText: (text) => this.#accept(text),
      onArrivalEnd: () => this.#refill(),
      onClose: () => this.#done?.reject(new Error('the connection ended under load')),
    });
    if (this.#work.credential !== null) await this.#signIn(this.#work.credential);
  }

  async run(durationMs: number): Promise<number> {
    const before = this.#answered;
    this.#untilMs = readClockMs() + durationMs;
    this.#done = Promise.withResolvers();
    const { reject } = this.#done;
    const timer = setTimeout(
      () => reject(new Error('the server stopped responding to writes')),
      durationMs + STALL_LIMIT_MS,
    );
    this.#send(OUTSTANDING_PER_SOCKET);
    await this.#done.promise;
    clearTimeout(timer);
    return this.#answered - before;
  }

  close(): void {
    this.#done = undefined;
    this.#socket?.destroy();
  }

  async #signIn(cred: string): Promise<void> {
    this.#signedIn = Promise.withResolvers();
    this.#socket?.write(
      encodeClientFrame(Buffer.from(JSON.stringify({ t: 'd', d: { r: 0, a: 'auth', b: { cred } } }))),
    );
    await this.#signedIn.promise;
    this.#signedIn = undefined;
  }

  #accept(text: string): void {
    if (text.startsWith('{"t":"c"')) return;
    if (this.#signedIn !== undefined) {
      if (text.includes('"s":"ok"')) this.#signedIn.resolve();
      else this.#signedIn.reject(new Error(`the credential was rejected: ${text}`));
      return;
    }
    if (!text.includes(this.#wanted))
      this.#done?.reject(new Error(`a write got an unexpected response: ${text}`));
    this.#answeredNow += 1;
  }

  /** Sends as many writes as the server answered together, so that the load keeps the server's batch size. */
  #refill(): void {
    const count = this.#answeredNow;
    this.#answeredNow = 0;
    this.#answered += count;
    if (count > 0 && readClockMs() < this.#untilMs) this.#send(count);
    else if (this.#answered === this.#request) this.#done?.resolve();
  }

  #send(count: number): void {
    const frames: Buffer[] = [];
    for (let index = 0; index < count; index += 1) {
      this.#request += 1;
      frames.push(encodeClientFrame(Buffer.from(this.#encodeWrite(this.#request), 'latin1')));
    }
    this.#socket?.write(Buffer.concat(frames));
  }

  #encodeWrite(request: number): string {
    const { path, json } = this.#work.encode(this.#number, request);
    return `{"t":"d","d":{"r":${request},"a":"p","b":{"p":"${path}","d":${json}}}}`;
  }
}

const WRITE_EVERY_MS = 5;
const PATHS = 500;

/**
 * Makes small writes at a steady rate, without waiting for responses, until `isDone` returns true. Returns
 * the latency of each write in ms. Throws if one is rejected.
 */
export async function measureWriteLatencies(
  client: Client,
  isDone: () => boolean,
): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  const unanswered: Promise<void>[] = [];
  for (let number = 0; !isDone(); number += 1) {
    unanswered.push(measureWrite(client, number, latenciesMs));
    await pause(WRITE_EVERY_MS);
  }
  await Promise.all(unanswered);
  return latenciesMs;
}

async function measureWrite(client: Client, number: number, latenciesMs: number[]): Promise<void> {
  const startedMs = readClockMs();
  await client.must('p', { p: `/other/place${number % PATHS}`, d: { n: number, by: 'another client' } });
  latenciesMs.push(readClockMs() - startedMs);
}
