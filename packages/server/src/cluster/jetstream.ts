import type { JetStreamClient, JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { randomBytes } from '../platform/random.ts';
import { JetStreamLog, STREAM_NOT_FOUND } from './jetstream-log.ts';
import { JetStreamSnapshots } from './jetstream-snapshots.ts';
import type { Slot } from './replicated-log.ts';
import { checkMonitored, checkServer, checkStream, UnsuitableServers } from './server-requirements.ts';
import type { SnapshotStorage } from './snapshots/snapshot.ts';

export interface JetStreamOptions {
  /** Addresses of NATS servers: `nats://<host>:<port>`. */
  readonly servers: readonly string[];
  /** User and password for all servers; `null` or absent if they ask for none. */
  readonly login?: { readonly user: string; readonly password: string } | null;
  /** Addresses of the monitoring ports of the same servers: `http://<host>:<port>`. Those that answer are checked. */
  readonly monitors: readonly string[];
  /** Begins the names of all streams and subjects of one cluster. Letters, digits and hyphens. */
  readonly cluster: string;
  /** Number of servers that store each message. Only tests use fewer than three. */
  readonly replicas: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 5_000;
/** Time for the last messages of a connection. */
const FAREWELL_MS = 1_000;
const MONITOR_TIMEOUT_MS = 2_000;

/** How often a stream is created before the error counts. Servers that have just started may not know each other yet. */
const CREATE_ATTEMPTS = 20;
const CREATE_PAUSE_MS = 500;

/** The name of a property of each stream: a random text, so that a stream that was created again is another one. */
const IDENTITY = 'hearth-identity';
const IDENTITY_BYTES = 16;

/** The properties of a server before its greeting has arrived. */
const NO_SERVER = { version: 'unknown', max_payload: 0 };

/**
 * Returns the libraries of NATS, which are loaded when a connection is opened. A server without a cluster never loads
 * them.
 */
async function loadLibraries() {
  const [transport, jetstream] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ]);
  return { ...transport, ...jetstream };
}

type Libraries = Awaited<ReturnType<typeof loadLibraries>>;

/** The name of a stream, and the subjects of what it stores. */
interface StreamName {
  readonly name: string;
  readonly subjects: string[];
}

/** A connection to the NATS servers that hold the log of a cluster. */
export class JetStream implements AsyncDisposable {
  readonly #libraries: Libraries;
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #options: JetStreamOptions;

  private constructor(
    libraries: Libraries,
    connection: NatsConnection,
    manager: JetStreamManager,
    options: JetStreamOptions,
  ) {
    this.#libraries = libraries;
    this.#connection = connection;
    this.#client = libraries.jetstream(connection);
    this.#manager = manager;
    this.#options = options;
  }

  /**
   * Connects, and checks the servers. Throws `UnsuitableServers` if they cannot be reached or could lose acknowledged
   * messages.
   */
  static async open(options: JetStreamOptions): Promise<JetStream> {
    const libraries = await loadLibraries();
    const connection = await connect(libraries, options);
    try {
      const problems = [
        ...checkServer(connection.info ?? NO_SERVER),
        ...(await checkMonitors(options.monitors)),
      ];
      const [problem] = problems;
      if (problem !== undefined) throw new UnsuitableServers(problem);
      const manager = await libraries.jetstreamManager(connection, {
        timeout: REQUEST_TIMEOUT_MS,
        checkAPI: false,
      });
      return new JetStream(libraries, connection, manager, options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /**
   * Opens the log of a shard. If there is no stream, creates one for a node that has read nothing (`head` is 0). Throws
   * `UnsuitableServers` if the stream is unsuitable, or if it is missing and has existed before: the node has read
   * messages, or the servers have snapshots.
   */
  async openShard(shard: string, head: Slot = 0): Promise<JetStreamLog> {
    const name = `${this.#options.cluster}-${shard}`;
    const info = await this.#openStream({ name, subjects: [logSubject(name)] }, () =>
      this.#findTrace(name, head),
    );
    const [problem] = checkStream(info, this.#options.replicas);
    if (problem !== undefined) throw new UnsuitableServers(problem);
    return new JetStreamLog({
      connection: this.#connection,
      client: this.#client,
      manager: this.#manager,
      stream: name,
      identity: identityOf(info),
      subject: logSubject(name),
      bulletins: bulletinSubject(name),
    });
  }

  /** Returns the identity that the log of a shard has now; `undefined` if it is gone. Rejects if the servers do not answer. */
  async identify(shard: string): Promise<string | undefined> {
    const info = await this.#findStream(`${this.#options.cluster}-${shard}`);
    return info && identityOf(info);
  }

  /** Opens the snapshots of a shard, which are in a stream of their own. Throws `UnsuitableServers`. */
  async openSnapshots(shard: string): Promise<SnapshotStorage> {
    const name = snapshotStream(`${this.#options.cluster}-${shard}`);
    const info = await this.#openStream({ name, subjects: [`${logSubject(name)}.>`] });
    const [problem] = checkStream(info, this.#options.replicas);
    if (problem !== undefined) throw new UnsuitableServers(problem);
    return this.#snapshotsIn(name);
  }

  #snapshotsIn(stream: string): JetStreamSnapshots {
    return new JetStreamSnapshots({
      client: this.#client,
      manager: this.#manager,
      stream,
      prefix: logSubject(stream),
    });
  }

  /** Returns a sentence if a log that is missing has existed before. */
  async #findTrace(name: string, head: Slot): Promise<string | undefined> {
    if (head > 0) return `this node has read ${head} messages of it`;
    const snapshots = snapshotStream(name);
    if ((await this.#findStream(snapshots)) === undefined) return undefined;
    const { complete } = await this.#snapshotsIn(snapshots).list();
    return complete.length === 0 ? undefined : `the stream ${snapshots} has snapshots of it`;
  }

  /** Calls `receive` for the bytes that nodes publish to each other in a shard, until the returned function is called. */
  subscribe(shard: string, receive: (bytes: Buffer) => void): () => void {
    const subject = bulletinSubject(`${this.#options.cluster}-${shard}`);
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, { data }) => {
        if (error === null) receive(Buffer.from(data));
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Sends bytes to the nodes of a shard. Resolves when they are sent. */
  async publish(shard: string, bytes: Buffer): Promise<void> {
    this.#connection.publish(bulletinSubject(`${this.#options.cluster}-${shard}`), bytes);
    await this.#connection.flush();
  }

  /** Deletes the log of a shard with all of its messages. Its snapshots remain. */
  async deleteShard(shard: string): Promise<void> {
    await this.#manager.streams.delete(`${this.#options.cluster}-${shard}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A farewell of the node may still be on its way.
    const late = new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref());
    await Promise.race([this.#connection.flush().catch(() => undefined), late]);
    await this.#connection.close();
  }

  /** Creates a stream that is missing, unless `findTrace` resolves with a sentence that says why it has existed before. */
  async #openStream(
    stream: StreamName,
    findTrace: () => Promise<string | undefined> = async () => undefined,
  ): Promise<StreamInfo> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#findOrCreateStream(stream, findTrace);
      } catch (error) {
        if (error instanceof UnsuitableServers) throw error;
        if (attempt === CREATE_ATTEMPTS || isLasting(error, this.#libraries))
          throw new UnsuitableServers(
            `The NATS servers do not create a stream with ${this.#options.replicas} replicas: ${describe(error)}`,
            { cause: error },
          );
        await new Promise((resolve) => setTimeout(resolve, CREATE_PAUSE_MS));
      }
    }
  }

  async #findOrCreateStream(
    stream: StreamName,
    findTrace: () => Promise<string | undefined>,
  ): Promise<StreamInfo> {
    const { name } = stream;
    const found = await this.#findStream(name);
    if (found !== undefined) return found;
    const trace = await findTrace();
    if (trace !== undefined)
      throw new UnsuitableServers(
        `The NATS servers have no stream ${name}, and ${trace}. Restore the stores of NATS, or correct the addresses of the servers and the name of the cluster.`,
      );
    return await this.#manager.streams.add(
      createStreamConfig(stream, this.#options.replicas, this.#libraries),
    );
  }

  /** Resolves with `undefined` if there is no such stream. */
  async #findStream(name: string): Promise<StreamInfo | undefined> {
    try {
      return await this.#manager.streams.info(name);
    } catch (error) {
      if (hasCode(error, [STREAM_NOT_FOUND], this.#libraries)) return undefined;
      throw error;
    }
  }
}

function identityOf({ config }: StreamInfo): string {
  return config.metadata?.[IDENTITY] ?? '';
}

function logSubject(stream: string): string {
  return `hearth.log.${stream}`;
}

function snapshotStream(log: string): string {
  return `${log}-snapshots`;
}

function bulletinSubject(stream: string): string {
  return `hearth.bulletin.${stream}`;
}

function createStreamConfig(
  stream: StreamName,
  replicas: number,
  { RetentionPolicy, StorageType, DiscardPolicy }: Libraries,
): Partial<StreamConfig> & { readonly name: string } {
  return {
    ...stream,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    deny_delete: true,
    allow_direct: true,
    metadata: { [IDENTITY]: Buffer.from(randomBytes(IDENTITY_BYTES)).toString('hex') },
  };
}

async function connect(
  { connect: connectTo }: Libraries,
  { servers, login }: JetStreamOptions,
): Promise<NatsConnection> {
  try {
    return await connectTo({
      servers: [...servers],
      timeout: CONNECT_TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      pingInterval: 2_000,
      maxPingOut: 2,
      name: 'hearth',
      ...(login ? { user: login.user, pass: login.password } : {}),
    });
  } catch (error) {
    throw new UnsuitableServers(
      `No NATS server at ${servers.join(', ')} accepts connections: ${describe(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** Checks the servers whose monitoring ports can be reached. Ordinary clients cannot see their settings. */
async function checkMonitors(monitors: readonly string[]): Promise<readonly string[]> {
  const checked = await Promise.all(
    monitors.map(async (monitor) => {
      const varz = await readMonitor(monitor);
      return varz === undefined ? [] : checkMonitored(monitor, varz);
    }),
  );
  return checked.flat();
}

async function readMonitor(monitor: string): Promise<unknown> {
  try {
    const response = await fetch(new URL('/varz', monitor), {
      signal: AbortSignal.timeout(MONITOR_TIMEOUT_MS),
    });
    return await response.json();
  } catch {
    // The operator may have closed the port.
    return undefined;
  }
}

/**
 * Codes of errors that end when the servers have found each other: no suitable peers, and not ready yet; and when another
 * node has created the stream at the same time.
 */
const PASSING_CODES: readonly number[] = [10005, 10008, 10009, 10058];

function hasCode(error: unknown, codes: readonly number[], { JetStreamApiError }: Libraries): boolean {
  return error instanceof JetStreamApiError && codes.includes(error.code);
}

function isLasting(error: unknown, libraries: Libraries): boolean {
  if (error instanceof libraries.JetStreamApiError) return !hasCode(error, PASSING_CODES, libraries);
  return (
    !(error instanceof libraries.TimeoutError) &&
    !/jetstream is not enabled|no responders/i.test(describe(error))
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
