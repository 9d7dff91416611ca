import type { Path } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import type { PublicationRequest } from '../../rules/publishing/history.ts';
import type { Traffic } from '../monitoring/database-activity.ts';
import type { StandaloneListen } from './standalone-listen.ts';
import type { ReadAnswer, ReadRequest } from './tree-view.ts';
import type { WriteRequest, WriteResult } from './write.ts';
import type { WriteSizeLimit } from './write-input.ts';

/**
 * The database API for callers without a connection. Each call that returns a promise is executed in a transaction, in
 * the order of the calls, and resolves once everything that it depends on is durable, or rejects with a `RequestError`.
 */
export interface DatabaseService {
  /** Returns the node at a path as JSON text. */
  read(database: string, request: ReadRequest): Promise<ReadAnswer>;
  write(database: string, request: WriteRequest): Promise<WriteResult>;
  /** Starts a listen. Resolves when its first value has been sent. */
  listen(database: string, listen: StandaloneListen): Promise<void>;
  /** Returns the counters of bytes sent and received for a database. */
  trafficOf(database: string): Traffic;
  /** Returns the size limit of a write that does not state its own limit. */
  writeSizeLimit(database: string): WriteSizeLimit;
  /** Whether the current rules can authorize replacing the node at `path` without reading the new value. */
  canAuthorizeWithoutValue(database: string, path: Path, identity: Principal): boolean;
  /** Whether a write to the database may trigger functions. */
  mayTrigger(database: string): boolean;
  /** Returns a push key that sorts after all earlier keys of this process. */
  createPushKey(): string;
  /**
   * Returns the source of the published rules, or of the rules that a new database starts with. For
   * administrators.
   */
  readRules(database: string, identity: Principal): Promise<string>;
  /**
   * Checks and publishes rules, and returns the id of their version. They apply from the next operation on. For
   * administrators.
   */
  writeRules(
    database: string,
    identity: Principal,
    source: string,
    request?: PublicationRequest,
  ): Promise<number>;
}
