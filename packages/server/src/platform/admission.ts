import { type PoolLimits, type PoolUsage, ResourcePool } from './resource-pool.ts';

/** The resources of the server that all peers share. */
export type ResourceName = 'connections' | 'bodies' | 'pollingClients' | 'eventStreams' | 'streamedWrites';

const NAMES: readonly ResourceName[] = [
  'connections',
  'bodies',
  'pollingClients',
  'eventStreams',
  'streamedWrites',
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
  /** Length of the longest request body that is buffered, in bytes. */
  readonly maxBodyBytes: number;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
}

/** Maximum number of connections, however many files the process may have. */
const MAX_CONNECTIONS = 100_000;

/** Files that are kept free for the store, logs, mail servers and threads. */
const RESERVED_FILES = 256;

/**
 * Time without bytes after which a connection may have to make room for others of the same network, in ms. Longer
 * than the interval of pings.
 */
const IDLE_CONNECTION_MS = 60_000;

/** Memory for unfinished bodies, in addition to the longest one, in bytes. */
const BODIES_BYTES = 64 * 2 ** 20;

/** Part of that memory that only authenticated requests of the admin API may use, in bytes. */
const BODIES_RESERVE_BYTES = 16 * 2 ** 20;

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

/** All shared resources of the server, with the limits that are stated in docs/reference/limits.md. */
export class Admission {
  readonly connections: ResourcePool;
  readonly bodies: ResourcePool;
  readonly pollingClients: ResourcePool;
  readonly eventStreams: ResourcePool;
  readonly streamedWrites: ResourcePool;

  constructor({ maxFiles, maxBodyBytes, elapsedMs }: AdmissionOptions) {
    const connections = Math.min(MAX_CONNECTIONS, Math.max(1, maxFiles - RESERVED_FILES));
    const bodies = maxBodyBytes + BODIES_BYTES;
    this.connections = new ResourcePool(
      { total: connections, reserve: 0, ofNetwork: Math.ceil(connections / 2), idleMs: IDLE_CONNECTION_MS },
      elapsedMs,
    );
    this.bodies = new ResourcePool(
      { total: bodies, reserve: BODIES_RESERVE_BYTES, ofNetwork: bodies, idleMs: IDLE_BODY_MS },
      elapsedMs,
    );
    this.pollingClients = new ResourcePool(placesFor(MAX_POLLING_CLIENTS, IDLE_POLLING_MS), elapsedMs);
    // A stream carries nothing while nothing changes, so idleness says nothing about its use.
    this.eventStreams = new ResourcePool(placesFor(MAX_EVENT_STREAMS, Number.POSITIVE_INFINITY), elapsedMs);
    this.streamedWrites = new ResourcePool(placesFor(MAX_STREAMED_WRITES, IDLE_WRITE_MS), elapsedMs);
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

/** Returns the limits of places of which one network may have at most half. */
function placesFor(total: number, idleMs: number): PoolLimits {
  return { total, reserve: 0, ofNetwork: total / 2, idleMs };
}
