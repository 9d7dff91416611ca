import { type PoolLimits, type PoolUsage, ResourcePool } from './resource-pool.ts';

/** The resources of the server that all peers share. */
export type ResourceName =
  | 'connections'
  | 'bodies'
  | 'pollingClients'
  | 'eventStreams'
  | 'streamedWrites'
  | 'longReads'
  | 'listens'
  | 'messages'
  | 'disconnectWrites'
  | 'passwordChecks'
  | 'foreignHashes'
  | 'newPasswords'
  | 'challengeChecks'
  | 'searches'
  | 'counts'
  | 'accountSearches'
  | 'replays'
  | 'liveFeeds';

const NAMES: readonly ResourceName[] = [
  'connections',
  'bodies',
  'pollingClients',
  'eventStreams',
  'streamedWrites',
  'longReads',
  'listens',
  'messages',
  'disconnectWrites',
  'passwordChecks',
  'foreignHashes',
  'newPasswords',
  'challengeChecks',
  'searches',
  'counts',
  'accountSearches',
  'replays',
  'liveFeeds',
];

/** One resource with its limits and its current use, for metrics and the console. */
export interface ResourceState {
  readonly name: ResourceName;
  readonly limits: PoolLimits;
  readonly usage: PoolUsage;
}

export interface AdmissionOptions {
  /** Maximum number of files and sockets of this process. */
  readonly maxFiles: number;
  /** Length of the longest request body that the operator allows to be buffered, in bytes. */
  readonly maxBodyBytes: number;
  /** Length of the longest message of a client, in bytes. */
  readonly maxMessageBytes: number;
  /** Memory that this process may use, in bytes. */
  readonly memoryBytes: number;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
}

/** Maximum number of connections, however many files and however much memory the process may have. */
const MAX_CONNECTIONS = 100_000;

/** Memory of a UTF-16 code unit of a message, in bytes. */
export const BYTES_PER_UNIT = 2;

/** Memory of one connection, without the memory that other pools count, in bytes. */
const CONNECTION_BYTES = 32 * 2 ** 10;

/** Files that are kept free for the store, logs, mail servers and threads. */
const RESERVED_FILES = 256;

/**
 * Time without bytes after which a connection may have to make room for others of the same network, in ms. Longer
 * than the interval of pings.
 */
const IDLE_CONNECTION_MS = 60_000;

/** Memory for unfinished bodies, in addition to the longest one, in bytes. */
const BODIES_BYTES = 64 * 2 ** 20;

/** The share of that memory that only authenticated requests of the admin API may use. */
const BODIES_RESERVE_SHARE = 1 / 4;

/** The share of the process's memory that unfinished bodies may take, in addition to the longest one. */
const BODIES_SHARE = 1 / 16;

/**
 * The largest share of the process's memory that one body may take, even if the operator allows more, because
 * unfinished bodies may take as much in addition.
 */
const LONGEST_BODY_SHARE = 1 / 4;

/** The share of the process's memory that listens may take. */
const LISTENS_SHARE = 1 / 8;

/** The share of the process's memory that messages may take, in addition to the longest one. */
const MESSAGES_SHARE = 1 / 8;

/** Maximum size of the onDisconnect writes of all clients, in bytes. They are in the store, not in memory. */
const DISCONNECT_WRITES_BYTES = 256 * 2 ** 20;

/** Time without a new byte after which a body may have to make room for others of the same network, in ms. */
const IDLE_BODY_MS = 5_000;

/** Maximum number of clients that use long polling. */
const MAX_POLLING_CLIENTS = 10_000;

/** Time without a poll after which a client may have to make room for others of the same network, in ms. */
const IDLE_POLLING_MS = 30_000;

/** Maximum number of event streams. Each is an open connection of a client that has no other connection. */
const MAX_EVENT_STREAMS = 20_000;

/** Maximum number of writes that are stored in parts while they arrive. */
const MAX_STREAMED_WRITES = 32;

/** Time without a byte after which a write may have to make room for another of the same network, in ms. */
const IDLE_WRITE_MS = 5_000;

/** Maximum number of passwords that wait to be verified. At 50 ms each on two cores the last one waits for 5 s. */
const MAX_WAITING_CHECKS = 200;

/**
 * Maximum number of passwords that wait to be set, of passwords that wait in `foreignHashes`, and of solutions of
 * challenges.
 */
const MAX_WAITING_OTHERS = 100;

/** Maximum number of long responses in progress, and the part of them that only administrators may use. */
const MAX_LONG_READS = 64;
const LONG_READS_RESERVE = 8;

/** The share of the long responses that one user, member or service account may have in progress. */
const LONG_READS_OF_IDENTITY_SHARE = 1 / 2;

/** Maximum number of searches of administrators in the data of all databases, and in the accounts of all projects. */
const MAX_SEARCHES = 4;
const MAX_SEARCHES_OF_IDENTITY = 2;

/** Maximum number of counts and measurements of administrators in all databases. */
const MAX_COUNTS = 32;
const MAX_COUNTS_OF_IDENTITY = 16;

/** Maximum number of recorded histories that rules are tested against at the same time. */
const MAX_REPLAYS = 2;
const MAX_REPLAYS_OF_IDENTITY = 1;

/** Time without reading after which a search or a count may have to make room for another, in ms. */
const IDLE_SEARCH_MS = 30_000;

/** Maximum number of live pages and other streams of the admin API. Each serves an open page of a console. */
const MAX_LIVE_FEEDS = 1_000;
const MAX_LIVE_FEEDS_OF_IDENTITY = 20;

/**
 * Time without reading after which a stream may have to make room for another, in ms. Longer than the keep-alive
 * interval.
 */
const IDLE_FEED_MS = 60_000;

/** Time without reading after which a long response may have to make room for another of the same network, in ms. */
const IDLE_READ_MS = 10_000;

/** All shared resources of the server, with the limits that are stated in docs/reference/limits.md. */
export class Admission {
  /** Length of the longest request body that is buffered, in bytes. */
  readonly maxBodyBytes: number;
  readonly connections: ResourcePool;
  /** In bytes of unfinished bodies. */
  readonly bodies: ResourcePool;
  readonly pollingClients: ResourcePool;
  readonly eventStreams: ResourcePool;
  readonly streamedWrites: ResourcePool;
  /** Responses that are generated in parts while their clients read them. */
  readonly longReads: ResourcePool;
  /** In estimated bytes of memory. */
  readonly listens: ResourcePool;
  /** In bytes of messages that have not fully arrived, or that clients have not read. */
  readonly messages: ResourcePool;
  /** In bytes of the store. */
  readonly disconnectWrites: ResourcePool;

  /** Passwords that wait to be verified with a hash of this server at its current cost. */
  readonly passwordChecks: ResourcePool;
  /** Passwords that wait to be verified with a hash of another system, or of another cost. */
  readonly foreignHashes: ResourcePool;
  /** Passwords that wait to be hashed because users set them. */
  readonly newPasswords: ResourcePool;
  /** Solutions of challenges that wait to be checked. */
  readonly challengeChecks: ResourcePool;

  /** Searches of administrators in databases. */
  readonly searches: ResourcePool;
  /** Counts and measurements of administrators in databases. */
  readonly counts: ResourcePool;
  /** Searches of administrators in accounts. */
  readonly accountSearches: ResourcePool;
  /** Tests of rules on recorded operations. */
  readonly replays: ResourcePool;
  /** Live pages and other streams of the admin API. */
  readonly liveFeeds: ResourcePool;

  constructor({ maxFiles, maxBodyBytes, maxMessageBytes, memoryBytes, elapsedMs }: AdmissionOptions) {
    const pool = (limits: PoolLimits): ResourcePool => new ResourcePool(limits, elapsedMs);
    const connections = Math.min(
      MAX_CONNECTIONS,
      Math.max(1, maxFiles - RESERVED_FILES),
      Math.floor(memoryBytes / CONNECTION_BYTES),
    );
    const moreBodies = Math.min(BODIES_BYTES, memoryBytes * BODIES_SHARE);
    this.maxBodyBytes = Math.min(maxBodyBytes, Math.floor(memoryBytes * LONGEST_BODY_SHARE));
    const bodies = this.maxBodyBytes + moreBodies;
    this.connections = pool(placesFor(connections, IDLE_CONNECTION_MS));
    this.bodies = pool({
      total: bodies,
      reserve: moreBodies * BODIES_RESERVE_SHARE,
      ofNetwork: bodies,
      idleMs: IDLE_BODY_MS,
    });
    this.pollingClients = pool(placesFor(MAX_POLLING_CLIENTS, IDLE_POLLING_MS));
    // A stream carries nothing while nothing changes, so idleness says nothing about its use.
    this.eventStreams = pool(placesFor(MAX_EVENT_STREAMS, Number.POSITIVE_INFINITY));
    this.streamedWrites = pool(placesFor(MAX_STREAMED_WRITES, IDLE_WRITE_MS));
    this.longReads = pool({
      ...placesFor(MAX_LONG_READS, IDLE_READ_MS),
      reserve: LONG_READS_RESERVE,
      ofIdentity: MAX_LONG_READS * LONG_READS_OF_IDENTITY_SHARE,
    });
    this.listens = pool(bytesFor(memoryBytes * LISTENS_SHARE));
    // Half of it must hold the longest message.
    this.messages = pool(bytesFor(memoryBytes * MESSAGES_SHARE + 2 * BYTES_PER_UNIT * maxMessageBytes));
    this.disconnectWrites = pool(bytesFor(DISCONNECT_WRITES_BYTES));
    this.passwordChecks = pool(placesFor(MAX_WAITING_CHECKS, Number.POSITIVE_INFINITY));
    this.foreignHashes = pool(placesFor(MAX_WAITING_OTHERS, Number.POSITIVE_INFINITY));
    this.newPasswords = pool(placesFor(MAX_WAITING_OTHERS, Number.POSITIVE_INFINITY));
    this.challengeChecks = pool(placesFor(MAX_WAITING_OTHERS, Number.POSITIVE_INFINITY));
    this.searches = pool(administratorsFor(MAX_SEARCHES, MAX_SEARCHES_OF_IDENTITY, IDLE_SEARCH_MS));
    this.counts = pool(administratorsFor(MAX_COUNTS, MAX_COUNTS_OF_IDENTITY, IDLE_SEARCH_MS));
    this.accountSearches = pool(administratorsFor(MAX_SEARCHES, MAX_SEARCHES_OF_IDENTITY, IDLE_SEARCH_MS));
    // A replay does not wait for its client.
    this.replays = pool(administratorsFor(MAX_REPLAYS, MAX_REPLAYS_OF_IDENTITY, Number.POSITIVE_INFINITY));
    this.liveFeeds = pool(administratorsFor(MAX_LIVE_FEEDS, MAX_LIVE_FEEDS_OF_IDENTITY, IDLE_FEED_MS));
  }

  /** Returns the state of every resource. */
  states(): readonly ResourceState[] {
    return NAMES.map((name) => ({
      name,
      limits: this[name].limits,
      usage: this[name].usage,
    }));
  }
}

/** Returns the limits of a resource with `total` places. One network may take at most half of them. */
function placesFor(total: number, idleMs: number): PoolLimits {
  return { total, reserve: 0, ofNetwork: Math.ceil(total / 2), idleMs };
}

/**
 * Returns the limits of a resource that only administrators use. Its shares are those of members and service accounts,
 * because many of them may work in one network.
 */
function administratorsFor(total: number, ofIdentity: number, idleMs: number): PoolLimits {
  return { total, reserve: 0, ofNetwork: total, ofIdentity, idleMs };
}

/**
 * Returns the limits of a pool of bytes. One network may take at most half of them. Of a network, the largest lease
 * makes room for others.
 */
function bytesFor(total: number): PoolLimits {
  return { total, reserve: 0, ofNetwork: total / 2, idleMs: null };
}
