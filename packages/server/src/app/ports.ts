import type { BuiltPages, SignInPagesBuild } from '../http/static-pages.ts';
import type { Admission } from '../platform/admission.ts';
import type { Clock } from '../platform/clock.ts';
import type { EventLoopWatch } from '../platform/event-loop-watch.ts';
import type { Logger } from '../platform/logger.ts';
import type { readDiskStats } from '../platform/process.ts';
import type { SecretKey } from '../platform/secret-key.ts';
import type { ClusterMetrics } from '../realtime/monitoring/metrics.ts';
import type { KvStore } from '../storage/kv/store.ts';
import type { Replication } from '../storage/log/embedded.ts';
import type { Mode } from './mode.ts';

export interface Random {
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns a number from 0 to less than 1. */
  readonly chance: () => number;
  readonly sessionId: () => string;
}

/** The parts that differ between a server on disk and a server in a test. */
export interface Ports {
  /** The backend disposes of the store. */
  readonly store: KvStore;
  /** In a cluster, reports when the writes of the store are committed. */
  readonly replication?: Replication | undefined;
  /** In a cluster, returns what this node knows of it. */
  readonly readCluster?: (() => ClusterMetrics) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly mode: Mode;
  /** Bytes that may wait to be sent to one client. */
  readonly maxBacklogBytes: number;
  /** Maximum length of a client's message, in UTF-16 code units. */
  readonly maxMessageUnits: number;
  /**
   * Returns the key that seals secrets. `check` identifies the key that the store needs; `undefined` accepts
   * any key.
   */
  readonly openSecretKey: (check: string | undefined) => SecretKey;
  readonly readDisk: () => ReturnType<typeof readDiskStats>;
  /** The resources that all peers share. */
  readonly admission: Admission;
  readonly eventLoop: EventLoopWatch;
  /** Pages to which the links in emails lead. */
  readonly actionPages: BuiltPages;
  readonly signInPages: SignInPagesBuild;
  /** The packed client package; `undefined` if it is not built. */
  readonly clientPackage: Buffer | undefined;
  readonly consolePages: BuiltPages;
  readonly version: string;
}
