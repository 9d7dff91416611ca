import type { Path } from '@hearth/core/tree/path.ts';
import type { Identity } from '../identity/identity.ts';
import type { Commit } from '../log/commit.ts';
import type { DraftWrite } from './draft-write.ts';

export interface WriteRequest {
  readonly identity: Identity;
  readonly writes: readonly DraftWrite[];
  /** Compare-and-set: the hash that the node at `path` must have before the write; `''` for an absent node. */
  readonly expected?: { readonly path: Path; readonly hash: string };
}

/**
 * What callers without a connection of their own use: each call is decided in its turn among all others, in the
 * order of the calls, and resolves once everything it depends on is durable. Rejects with a `Refusal`.
 */
export interface DatabaseService {
  /** The node at a path as JSON text. */
  readJson(database: string, identity: Identity, path: Path, form: 'export' | 'plain'): Promise<string>;
  /** The commit, with everything resolved; `null` when the write had no effect. */
  write(database: string, request: WriteRequest): Promise<Commit | null>;
  /** A push key that sorts after all earlier ones of this process. */
  createPushKey(): string;
  /** The uploaded source, or that of the rules a new database starts with. For administrators. */
  readRules(database: string, identity: Identity): Promise<string>;
  /** Checks and stores rules, and applies them from the next operation on. For administrators. */
  writeRules(database: string, identity: Identity, source: string): Promise<void>;
}
