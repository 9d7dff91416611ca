import { createContext, runInContext } from 'node:vm';
import { expect, inject } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import { until } from './until.ts';

/** How a connection that polls is opened. */
export interface RawPollerOptions {
  /** Query string of the start without the question mark; `start=t&ser=1&cb=7&v=5&ns=<namespace>` unless given. */
  readonly search?: string;
  readonly url?: string;
}

/** One number of the client's functions is as good as another. */
const CALLBACK = '7';

/** A client that polls request by request, and runs the scripts of the answers as a browser does. */
export class RawPoller {
  readonly namespace: string;
  readonly url: string;
  id = '';
  password = '';
  /** Lists of messages by the number of their answer. */
  readonly answers = new Map<number, readonly JsonObject[]>();
  /** Commands other than the start, with what comes with them. */
  readonly commands: Json[][] = [];
  readonly #frame: object;
  #segments = 0;
  #requests = 0;
  #serial = 0;

  constructor(namespace: string, url: string) {
    this.namespace = namespace;
    this.url = url;
    const page = {
      [`pLPCommand${CALLBACK}`]: (...details: unknown[]) => this.#recordCommand(plain(details)),
      [`pRTLPCB${CALLBACK}`]: (number: number, messages: unknown) =>
        this.#recordAnswer(number, plain(messages)),
    };
    this.#frame = createContext({ parent: { window: page } });
    runInContext('window = globalThis', this.#frame);
  }

  /** Sends one request and runs its answer, which is returned. */
  async fetch(search: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${this.url}/.lp?${search}`, init);
    if (answer.headers.get('content-type')?.startsWith('application/javascript') === true)
      runInContext(await answer.clone().text(), this.#frame);
    return answer;
  }

  /** What every request of this connection has in its address. */
  get credential(): string {
    return `id=${this.id}&pw=${this.password}&ns=${this.namespace}`;
  }

  /** Polls once; `search` goes behind the usual. Resolves with the script. */
  async poll(search = '', init: RequestInit = {}): Promise<string> {
    const answer = await this.fetch(`${this.credential}&ser=${this.#serial++}${search}`, init);
    return answer.text();
  }

  /** Takes the next numbers for the segments of a message that is cut into so many pieces. */
  segmentsOf(message: Json, pieces = 1): readonly RawSegment[] {
    const data = encodeMessage(JSON.stringify(message));
    const size = Math.ceil(data.length / pieces);
    return Array.from({ length: pieces }, (_, i) => ({
      number: this.#segments++,
      count: pieces,
      data: data.slice(i * size, (i + 1) * size),
    }));
  }

  /** A request message with the next number. */
  requestOf(action: string, body: Json): JsonObject {
    this.#requests += 1;
    return { t: 'd', d: { r: this.#requests, a: action, b: body } };
  }

  /** Sends messages with one poll. */
  send(...messages: readonly Json[]): Promise<string> {
    return this.poll(searchOf(messages.flatMap((message) => this.segmentsOf(message))));
  }

  /** Sends a request, and polls until its response has come. */
  async request(action: string, body: Json): Promise<JsonObject> {
    const message = this.requestOf(action, body);
    const number = Object(message['d'])['r'];
    await this.send(message);
    while (this.response(number) === undefined && this.commands.length === 0) await this.poll();
    return this.response(number) ?? { closed: this.commands[0] ?? null };
  }

  /**
   * Polls until a response has come, beside requests that are under way: whichever of them waits may bring it, and
   * responses that are ready one after the other need a poll each. `undefined` when the connection ends before.
   */
  async pollUntilResponse(number: number): Promise<JsonObject | undefined> {
    const hasCome = until(() => expect(this.response(number)).toBeDefined());
    // Its failure counts for whoever waits for it, and for nobody once a poll has failed.
    hasCome.catch(() => undefined);
    while (this.response(number) === undefined && this.commands.length === 0)
      await Promise.race([this.poll(), hasCome]);
    return this.response(number);
  }

  /** The body of a response, once it has come. */
  response(number: number): JsonObject | undefined {
    for (const { d } of this.messages) {
      if (isJsonObject(d) && d['r'] === number && isJsonObject(d['b'])) return d['b'];
    }
    return undefined;
  }

  /** All messages so far, as far as their answers have come without a gap. */
  get messages(): readonly JsonObject[] {
    const messages: JsonObject[] = [];
    for (let number = 0; ; number++) {
      const next = this.answers.get(number);
      if (next === undefined) return messages;
      messages.push(...next);
    }
  }

  /** Pushes so far, as `[action, body]`. */
  get pushes(): readonly Json[] {
    return this.messages.flatMap(({ t, d }) =>
      t === 'd' && isJsonObject(d) && d['a'] !== undefined ? [[d['a'], d['b'] ?? null]] : [],
    );
  }

  /** The session's name in the handshake. */
  get sessionId(): string {
    const hello = this.messages[0]?.['d'];
    if (!isJsonObject(hello) || !isJsonObject(hello['d'])) throw new Error('There was no handshake.');
    return String(hello['d']['s']);
  }

  #recordCommand(details: Json): void {
    if (!Array.isArray(details)) return;
    if (details[0] === 'start') [, this.id, this.password] = details.map(String) as [string, string, string];
    else this.commands.push([...details]);
  }

  #recordAnswer(number: number, messages: Json): void {
    if (this.answers.has(number)) throw new Error(`There are two answers ${number}.`);
    if (!Array.isArray(messages)) throw new Error('An answer has a list.');
    this.answers.set(number, messages as readonly JsonObject[]);
  }
}

/** A piece of a message. */
export interface RawSegment {
  readonly number: number;
  readonly count: number;
  readonly data: string;
}

/** Segments as they stand in an address, behind other parameters. */
export function searchOf(segments: readonly RawSegment[]): string {
  return segments
    .map(({ number, count, data }, i) => `&seg${i}=${number}&ts${i}=${count}&d${i}=${data}`)
    .join('');
}

/** The text of a message as the official client encodes it. */
export function encodeMessage(text: string): string {
  const base64 = Buffer.from(text).toString('base64');
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
}

/** Opens a connection that polls. */
export async function openRawPoller(namespace: string, options: RawPollerOptions = {}): Promise<RawPoller> {
  const poller = new RawPoller(namespace, options.url ?? inject('serverUrl'));
  await poller.fetch(options.search ?? `start=t&ser=1&cb=${CALLBACK}&v=5&ns=${namespace}`);
  return poller;
}

/** The same value with the prototypes of this side. */
function plain(value: unknown): Json {
  return parseJson(JSON.stringify(value));
}
