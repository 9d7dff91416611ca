import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { Random } from '../../../scripts/random.ts';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import { addressOf, headersOf, type Target } from '../network/target.ts';
import { Hearth } from '../server/hearth.ts';
import { type Generator, KINDS, type MalformedInput, type Subject } from './kinds.ts';

export interface MalformedOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Kinds of `KINDS`; without it, all in turns. */
  readonly kinds?: readonly string[];
  readonly progress?: (line: string) => void;
}

export interface MalformedResult {
  readonly inputs: number;
  /** The mistakes of the server, each with the input that causes it. */
  readonly findings: readonly string[];
  readonly growthBytes: number;
  /** Statuses of responses with their numbers. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Most inputs wait for something. */
const LANES = 64;
const HOSTS = 200;
const MEMORY_MIB = 256;
const PASSWORD = 'a long and decent passphrase';
const MAX_FINDINGS = 20;
/** Inputs after which the server has filled its caches: growth is counted from there on. */
const WARM_UP_INPUTS = 1_000;
/** Time in which the server must answer an input, or close its connection, in ms. */
const ANSWER_WITHIN_MS = 20_000;
/** Time for the responses to frames, which may be none, in ms. */
const FRAMES_MS = 15;
const REPORT_EVERY = 10_000;

/** Sends malformed inputs to a server. Each input follows from the seed and its number alone. */
export async function runMalformed(options: MalformedOptions): Promise<MalformedResult> {
  const { inputs, seed, kinds = Object.keys(KINDS), progress = () => undefined } = options;
  for (const kind of kinds) generatorOf(kind);
  await using hearth = await Hearth.start({
    entry: 'proxied',
    addressGroup: randomInt(256),
    memoryMiB: MEMORY_MIB,
  });
  const subject = await prepareSubject(hearth);
  const findings: string[] = [];
  const statuses = new Map<string, number>();
  let memoryBytes = hearth.readMemoryBytes();
  let next = 0;
  const lanes = Array.from({ length: LANES }, async () => {
    using client = new HttpClient(hearth.target, { side: 'attacker', host: 0 });
    while (next < inputs && findings.length < MAX_FINDINGS && hearth.isRunning) {
      const index = next;
      next += 1;
      const kind = kinds[index % kinds.length] ?? '';
      const input = generateInput(kind, seed, index, subject);
      const outcome = await send(hearth.target, client, input, index);
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      if (isWrong(outcome)) findings.push(`${kind} ${seed} ${index}: ${outcome}: ${describe(input)}`);
      if (index === WARM_UP_INPUTS) memoryBytes = hearth.readMemoryBytes();
      if (index > 0 && index % REPORT_EVERY === 0) progress(`${index} inputs, ${findings.length} findings`);
    }
  });
  await Promise.all(lanes);
  if (!hearth.isRunning) findings.push(`The server ended near input ${next} of seed ${seed}.`);
  findings.push(...hearth.errors().map((line) => `seed ${seed}: the log has ${line}`));
  return {
    inputs: next,
    findings,
    growthBytes: hearth.isRunning ? hearth.readMemoryBytes() - memoryBytes : 0,
    statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a.localeCompare(b))),
  };
}

function generateInput(kind: string, seed: number, index: number, subject: Subject): MalformedInput {
  return generatorOf(kind)(new Random(Math.imul(seed, 0x9e3779b1) ^ index), subject);
}

/** Throws if there is no such kind. */
function generatorOf(kind: string): Generator {
  const generate = KINDS[kind];
  if (generate === undefined)
    throw new Error(`Unknown kind: ${kind}. Use one of ${Object.keys(KINDS).join(', ')}.`);
  return generate;
}

/**
 * An internal error, or no answer. The server must answer every input with an error that names the mistake in the
 * input.
 */
function isWrong(outcome: string): boolean {
  return /^(5(?!03)|silent)/.test(outcome);
}

async function prepareSubject(hearth: Hearth): Promise<Subject> {
  const { target } = hearth;
  const rules = { rules: { open: { '.read': true, '.write': true } } };
  await hearth.administer('PUT', `/.settings/rules.json?ns=${target.namespace}`, rules);
  await hearth.administer('POST', `/v1/projects/${target.projectId}/accounts`, {
    email: 'user0@crowd.example',
    password: PASSWORD,
  });
  using client = new HttpClient(target, { side: 'crowd', host: 0 });
  const { text } = await client.post(`/v1/accounts:signInWithPassword?key=${target.apiKey}`, {
    email: 'user0@crowd.example',
    password: PASSWORD,
    returnSecureToken: true,
  });
  const { idToken, refreshToken } = parseObject(text);
  return {
    namespace: target.namespace,
    apiKey: target.apiKey,
    projectId: target.projectId,
    adminToken: hearth.token,
    idToken: String(idToken),
    refreshToken: String(refreshToken),
  };
}

/** Sends an input from a host that follows from its number. Returns the status of the response, or a word. */
async function send(
  target: Target,
  client: HttpClient,
  input: MalformedInput,
  index: number,
): Promise<string> {
  const peer = { side: 'attacker', host: index % HOSTS } as const;
  switch (input.kind) {
    case 'request':
      return sendRequest(client, headersOf(target, peer), input);
    case 'bytes':
      return sendBytes(target, input.bytes);
    case 'frames':
      return sendFrames(target, addressOf(target, peer), (socket) => {
        for (const frame of input.frames) socket.send(frame);
      });
    case 'frameBytes':
      return sendFrames(target, addressOf(target, peer), (socket) => {
        // The library offers no way to send other bytes than frames.
        const { _socket } = socket as unknown as { readonly _socket: NodeJS.WritableStream };
        _socket.write(input.bytes);
      });
    default:
      return input satisfies never;
  }
}

/**
 * Sends a request over the connection of an earlier one. The server may have closed that connection, so a
 * request without an answer is sent once more.
 */
async function sendRequest(
  client: HttpClient,
  origin: Readonly<Record<string, string>>,
  input: MalformedInput & { readonly kind: 'request' },
): Promise<string> {
  const { method, path, body, headers } = input;
  const content = body === null ? {} : { body };
  const sent = {
    method,
    path,
    ...content,
    headers: { ...origin, ...headers },
    timeoutMs: ANSWER_WITHIN_MS,
  };
  const first = await client.ask(sent);
  const { status, text } = first.status === 0 ? await client.ask(sent) : first;
  return status === 0 ? `silent: ${text}` : String(status);
}

/** Sends bytes, ends this side, and waits until the server ends its side. */
async function sendBytes(target: Target, bytes: Buffer): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: target.port });
  let text = '';
  socket.on('data', (part: Buffer) => {
    if (text.length < 100) text += part.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
  socket.end(bytes);
  await once(socket, 'close');
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed';
}

async function sendFrames(
  target: Target,
  address: string,
  sendAll: (socket: WebSocket) => void,
): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${target.port}/.ws?v=5&ns=${target.namespace}`, {
    headers: { ...headersOf(target, { side: 'attacker', host: 0 }), 'x-forwarded-for': address },
    handshakeTimeout: ANSWER_WITHIN_MS,
    perMessageDeflate: false,
  });
  socket.on('error', () => undefined);
  let received = '';
  socket.on('message', (data) => {
    if (received.length < 10_000) received += String(data);
  });
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'message'), closed]);
  if (socket.readyState !== WebSocket.OPEN) return '503';
  sendAll(socket);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise((resolve) => (timer = setTimeout(resolve, FRAMES_MS)))]);
  clearTimeout(timer);
  const state = socket.readyState === WebSocket.OPEN ? 'open' : 'closed';
  socket.terminate();
  return /"s":"(internal|server_error)/.test(received) ? '500 over a WebSocket' : state;
}

function describe(input: MalformedInput): string {
  switch (input.kind) {
    case 'request':
      return `${input.method} ${input.path} ${input.body ?? ''}`.slice(0, 1_000);
    case 'frames':
      return JSON.stringify(input.frames.map(String)).slice(0, 1_000);
    default:
      return JSON.stringify(input.bytes.toString('latin1')).slice(0, 1_000);
  }
}
