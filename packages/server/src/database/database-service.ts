import type { Path } from '@hearth/core/tree/path.ts';
import type { Traffic } from '../activity/traffic.ts';
import type { Identity } from '../identity/identity.ts';
import type { Commit } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import type { DraftWrite } from './draft-write.ts';
import type { ExpectedNode } from './expected-node.ts';
import type { PublicationRequest } from './publication-request.ts';
import type { ReadAnswer, ReadRequest } from './read-request.ts';
import type { StandaloneListen } from './standalone-listen.ts';
import type { WriteConditions } from './write-conditions.ts';
import type { WriteSizeLimit } from './write-size-limit.ts';

export interface WriteRequest extends Asker {
  readonly writes: readonly DraftWrite[];
  /** Compare-and-set: what must be there before the write. */
  readonly expected?: ExpectedNode;
  readonly conditions?: WriteConditions;
  /** Are functions that wait for writes not to be told of this one? */
  readonly areTriggersDisabled?: boolean;
  /** A place whose hash after the write is asked for. */
  readonly hashOf?: Path;
}

export interface WriteResult {
  /** The commit, with everything resolved; `null` when the write had no effect. */
  readonly commit: Commit | null;
  /** Hash of the place asked for, after the write; `''` for nothing there, `null` unless asked for. */
  readonly hash: string | null;
}

/**
 * What callers without a connection of their own use: each call is decided in its turn among all others, in the
 * order of the calls, and resolves once everything it depends on is durable. Rejects with a `Refusal`.
 */
export interface DatabaseService {
  /** What stands at a place, as JSON text. */
  read(database: string, request: ReadRequest): Promise<ReadAnswer>;
  write(database: string, request: WriteRequest): Promise<WriteResult>;
  /** Starts a listen; resolves when its first value was told. */
  listen(database: string, listen: StandaloneListen): Promise<void>;
  /** Where bytes that go to and from its clients are counted. */
  trafficOf(database: string): Traffic;
  /** How much a write may bring along that does not say so itself. */
  writeSizeLimit(database: string): WriteSizeLimit;
  /** Can the rules of now decide on replacing the node at `path` without seeing what it is replaced by? */
  mayBeUnseen(database: string, path: Path, identity: Identity): boolean;
  /** A push key that sorts after all earlier ones of this process. */
  createPushKey(): string;
  /** The uploaded source, or that of the rules a new database starts with. For administrators. */
  readRules(database: string, identity: Identity): Promise<string>;
  /** Checks and publishes rules, which apply from the next operation on. For administrators. */
  writeRules(
    database: string,
    identity: Identity,
    source: string,
    request?: PublicationRequest,
  ): Promise<void>;
}
