import { createContext, runInContext } from 'node:vm';
import { expect, inject } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts';
import { until } from './until.ts';

/** How a polling connection is opened. */
export interface RawPollerOptions {
  /**
   * Query string of the first request, without the question mark; `start=t&ser=1&cb=7&v=5&ns=<namespace>` unless given.
   */
  readonly search?: string;
  readonly url?: string;
}

/** The number at the end of the names of the client's callback functions; any number works. */
const CALLBACK = '7';

/** A long-polling client whose requests the test sends. Runs the scripts of the responses as a browser does. */
export class RawPoller {
  readonly namespace: string;
  readonly url: string;
  id = '';
  password = '';
  /** The messages of each response, by the number of the response. */
  readonly answers = new Map<number, readonly JsonObject[]>();
  /** Commands of the server except `start`: each is a list of the command's name and its arguments. */
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

  /** Sends one request, runs the response if it is a script, and returns the response. */
  async fetch(search: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${this.url}/.lp?${search}`, init);
    if (answer.headers.get('content-type')?.startsWith('application/javascript') === true)
      runInContext(await answer.clone().text(), this.#frame);
    return answer;
  }

  /** The parameters in the address of every request of this connection. */
  get credential(): string {
    return `id=${this.id}&pw=${this.password}&ns=${this.namespace}`;
  }

  /** Polls once; `search` is appended to the address. Resolves to the text of the response. */
  async poll(search = '', init: RequestInit = {}): Promise<string> {
    const answer = await this.fetch(`${this.credential}&ser=${this.#serial++}${search}`, init);
    return answer.text();
  }

  /** Encodes a message, and cuts it into `pieces` segments with the next segment numbers. */
  segmentsOf(message: Json, pieces = 1): readonly RawSegment[] {
    const data = encodeMessage(JSON.stringify(message));
    const size = Math.ceil(data.length / pieces);
    return Array.from({ length: pieces }, (_, i) => ({
      number: this.#segments++,
      count: pieces,
      data: data.slice(i * size, (i + 1) * size),
    }));
  }

  /** Returns a request with the next request number. */
  requestOf(action: string, body: Json): JsonObject {
    this.#requests += 1;
    return { t: 'd', d: { r: this.#requests, a: action, b: body } };
  }

  /** Sends messages with one poll. */
  send(...messages: readonly Json[]): Promise<string> {
    return this.poll(searchOf(messages.flatMap((message) => this.segmentsOf(message))));
  }

  /**
   * Sends a request, and polls until the response arrives. Resolves to the body of the response, or to
   * `{ closed: <command> }` if the server has sent a command instead.
   */
  async request(action: string, body: Json): Promise<JsonObject> {
    const message = this.requestOf(action, body);
    const number = Object(message['d'])['r'];
    await this.send(message);
    while (this.response(number) === undefined && this.commands.length === 0) await this.poll();
    return this.response(number) ?? { closed: this.commands[0] ?? null };
  }

  /**
   * Polls until the response with a number arrives; a poll that is still open may bring the response, too. Resolves to
   * the body of the response, or to `undefined` if the server has sent a command instead.
   */
  async pollUntilResponse(number: number): Promise<JsonObject | undefined> {
    const hasArrived = until(() => expect(this.response(number)).toBeDefined());
    // The race below reports a failure. Without this handler, the rejection would be unhandled if a poll fails first.
    hasArrived.catch(() => undefined);
    while (this.response(number) === undefined && this.commands.length === 0)
      await Promise.race([this.poll(), hasArrived]);
    return this.response(number);
  }

  /** Returns the body of a response, or `undefined` until it has arrived. */
  response(number: number): JsonObject | undefined {
    for (const { d } of this.messages) {
      if (isJsonObject(d) && d['r'] === number && isJsonObject(d['b'])) return d['b'];
    }
    return undefined;
  }

  /** The messages of all responses so far, up to the first response number that is missing. */
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

  /** The session ID in the handshake. */
  get sessionId(): string {
    const hello = this.messages[0]?.['d'];
    if (!isJsonObject(hello) || !isJsonObject(hello['d'])) throw new Error('The server sent no handshake.');
    return String(hello['d']['s']);
  }

  #recordCommand(details: Json): void {
    if (!Array.isArray(details)) return;
    if (details[0] === 'start') [, this.id, this.password] = details.map(String) as [string, string, string];
    else this.commands.push([...details]);
  }

  #recordAnswer(number: number, messages: Json): void {
    if (this.answers.has(number)) throw new Error(`The server sent two responses with the number ${number}.`);
    if (!Array.isArray(messages)) throw new Error('The response has no list of messages.');
    this.answers.set(number, messages as readonly JsonObject[]);
  }
}

/** A piece of a message on the wire. */
export interface RawSegment {
  /** Number of the segment on its connection, from 0. */
  readonly number: number;
  /** The number of segments of the whole message. */
  readonly count: number;
  readonly data: string;
}

/** Returns segments as parameters of an address, to append to other parameters. */
export function searchOf(segments: readonly RawSegment[]): string {
  return segments
    .map(({ number, count, data }, i) => `&seg${i}=${number}&ts${i}=${count}&d${i}=${data}`)
    .join('');
}

/** Encodes the text of a message as the official client does. */
export function encodeMessage(text: string): string {
  const base64 = Buffer.from(text).toString('base64');
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
}

/** Opens a polling connection. */
export async function openRawPoller(namespace: string, options: RawPollerOptions = {}): Promise<RawPoller> {
  const poller = new RawPoller(namespace, options.url ?? inject('serverUrl'));
  await poller.fetch(options.search ?? `start=t&ser=1&cb=${CALLBACK}&v=5&ns=${namespace}`);
  return poller;
}

/** Copies a value of the frame, so that its prototypes are those of the test and not of the frame. */
function plain(value: unknown): Json {
  return parseJson(JSON.stringify(value));
}
