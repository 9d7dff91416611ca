import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorBearerVerifier, emulatorVerifier } from '../../access/emulator-verifier.ts';
import type { CredentialVerifier } from '../../access/verifier.ts';
import { LOCAL, OWNER, type RequestHeaders } from '../../app/exchange.fixture.ts';
import { createMemoryServer, type MemoryServer, NOW_MS } from '../../app/memory-server.fixture.ts';
import { type LoopbackClient, openLoopbackClient } from '../../http/loopback-client.fixture.ts';
import { LoopbackLinks } from '../../http/loopback-links.fixture.ts';
import { LOCAL_TRANSPORT } from '../../http/transport.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { Databases } from '../database/registry.ts';
import { EventStreams } from './event-streams.ts';

const MAX_BODY_BYTES = 1_048_576;

/** Time at which the token `short` expires. */
export const EXPIRES_AT_MS = NOW_MS + 1_000;

/** Verifies as the emulators do, except that `short` is the token of a user and expires. */
const token: CredentialVerifier = {
  async verify(credential) {
    if (credential.token !== 'short') return emulatorVerifier.verify(credential);
    return { kind: 'user', auth: { uid: 'short' }, expiresAtMs: EXPIRES_AT_MS };
  },
};

/** The chunks that a client has received of one stream. */
export class ReceivedStream {
  readonly response: IncomingMessage;
  /** Received chunks, in order. */
  readonly chunks: string[] = [];
  hasEnded = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.on('data', (chunk: Buffer) => this.chunks.push(chunk.toString()));
    response.on('close', () => {
      this.hasEnded = true;
    });
  }

  /** Returns everything received since the last call, as one text. */
  take(): string {
    return this.chunks.splice(0).join('');
  }

  /** Closes the connection of the client. */
  leave(): void {
    this.response.destroy();
  }
}

/** A server in memory with a clock that the test sets, and a client that opens streams. */
export class StreamTestBed {
  readonly databases: Databases;
  readonly streams: EventStreams;
  readonly #memory: Promise<MemoryServer>;
  readonly client: Promise<LoopbackClient>;
  readonly #scheduler: TransactionScheduler;
  readonly #links = new LoopbackLinks();
  nowMs = NOW_MS;

  constructor({
    keepAliveMs = 3_600_000,
    maxStreams = 10,
    messageBytes = 1_000_000,
    idleMs = Number.POSITIVE_INFINITY,
  } = {}) {
    const store = new SnapshotStore(new MemoryStore());
    const clock = { nowMs: () => this.nowMs, elapsedMs: () => 0 };
    const logger = createLogger('info', { write: () => true });
    this.#scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
    this.databases = new Databases({
      longReads: openTestPool(),
      store,
      scheduler: this.#scheduler,
      clock,
      logger,
      randomBytes: (count) => new Uint8Array(count),
      newDatabaseRules: OPEN_RULES,
    });
    const sendBuffer = { maxBytes: 1_000_000, fullBytes: 1_000_000 };
    let connections = 0;
    this.streams = new EventStreams({
      appChecks: NO_APP_CHECK,
      clock,
      sendBuffer,
      messages: openTestPool(messageBytes),
      listens: openTestPool(),
      keepAliveMs,
      places: new ResourcePool({ total: maxStreams, reserve: 0, ofNetwork: maxStreams, idleMs }, () => 0),
      nextConnectionId: () => ++connections,
      addressOf: LOCAL_TRANSPORT.clientAddressOf,
      networkOf: LOCAL_TRANSPORT.networkOfClient,
    });
    const bearer = emulatorBearerVerifier;
    this.#memory = createMemoryServer(
      {
        databases: this.databases,
        eventStreams: this.streams,
        verifiers: { token, bearer },
      },
      MAX_BODY_BYTES,
    );
    this.client = this.#memory.then(({ server }) => openLoopbackClient(server));
    onTestFinished(() => this.streams.close());
  }

  async serve(): Promise<void> {
    (await this.#memory).serve();
  }

  async close(): Promise<void> {
    await (await this.#memory).server.close();
  }

  /** Requests a stream. The server may reject it: see the response. */
  async stream(url: string, headers: RequestHeaders = {}): Promise<ReceivedStream> {
    const accept = { accept: 'text/event-stream' };
    const client = await this.client;
    const response = await client.begin({ url, headers: { ...LOCAL, ...accept, ...headers } });
    this.#links.add(response);
    const stream = new ReceivedStream(response);
    await this.settle();
    return stream;
  }

  async read(url: string): Promise<string> {
    const client = await this.client;
    return (await client.send({ url, headers: { ...LOCAL, ...OWNER } })).body;
  }

  /**
   * Sends requests as the owner, all together, and waits until all clients are notified. Throws if one fails.
   */
  async write(
    ...requests: readonly (readonly [method: 'PUT' | 'PATCH', url: string, body: string])[]
  ): Promise<void> {
    const client = await this.client;
    const headers = { ...LOCAL, ...OWNER };
    const statuses = await client.sendTogether(
      requests.map(([method, url, body]) => ({ method, url, headers, body })),
    );
    if (statuses.length !== requests.length || statuses.some((status) => status >= 300))
      throw new Error(`Not every write succeeded: ${statuses.join()}`);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.#scheduler.drain();
    await new Promise(setImmediate);
    await this.#links.settle();
  }

  /** Number of listens. */
  get listenCount(): number {
    return this.databases.open('fake-server').listens.count;
  }
}

/** Opens a test bed that serves. */
export async function openStreamTestBed(
  options: {
    readonly keepAliveMs?: number;
    readonly maxStreams?: number;
    readonly messageBytes?: number;
    readonly idleMs?: number;
  } = {},
): Promise<StreamTestBed> {
  const testBed = new StreamTestBed(options);
  await testBed.serve();
  return testBed;
}

/** How long a test waits for the effect of a timer. */
export const WITHIN = { timeout: 120_000 };

/** Returns the text of an event. */
export function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

export function put(path: string, json: string): string {
  return event('put', `{"path":"${path}","data":${json}}`);
}

export function patch(path: string, json: string): string {
  return event('patch', `{"path":"${path}","data":${json}}`);
}
