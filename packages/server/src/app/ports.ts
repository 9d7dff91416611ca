import type { BuiltPages } from '../http/static-pages.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { readDiskStats } from '../platform/process.ts';
import type { SecretKey } from '../platform/secret-key.ts';
import type { KvStore } from '../storage/kv/store.ts';
import type { Mode } from './mode.ts';

export interface Random {
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns a number from 0 to less than 1. */
  readonly chance: () => number;
  readonly sessionId: () => string;
}

/** What differs between a server on a disk and one in a test. */
export interface Ports {
  /** The backend disposes of it. */
  readonly store: KvStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly mode: Mode;
  /** Bytes that may wait to be sent to one client. */
  readonly maxBacklogBytes: number;
  /** Maximum length of a client's message, in UTF-16 code units. */
  readonly maxMessageUnits: number;
  /** Returns the key that seals secrets. `check` tells which key the store needs; `undefined` for any. */
  readonly openSecretKey: (check: string | undefined) => SecretKey;
  readonly readDisk: () => ReturnType<typeof readDiskStats>;
  /** Behind the links of mails. */
  readonly actionPages: BuiltPages;
  readonly consolePages: BuiltPages;
  readonly version: string;
}
