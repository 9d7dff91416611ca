import type { ReadOperation, WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Principal } from './principal.ts';

/** The name of the requested operation in its protocol. Names in capitals are REST methods. */
export type OperationName =
  | 'listen'
  | 'get'
  | 'put'
  | 'merge'
  | 'transaction'
  | 'onDisconnectPut'
  | 'onDisconnectMerge'
  /** The onDisconnect writes of a client that has disconnected. */
  | 'onDisconnect'
  /** A listen over REST, which sends changes as server-sent events. */
  | 'stream'
  | 'GET'
  | 'PUT'
  | 'PATCH'
  | 'POST'
  | 'DELETE';

/** An operation that rules decide on. */
export type DecidedOperation =
  | { readonly kind: 'read'; readonly read: ReadOperation }
  | { readonly kind: 'write'; readonly write: WriteOperation };

/**
 * An operation for which rules were evaluated. Its trees may be read only in the transaction that evaluated the rules.
 */
export interface AuthorizationRequest {
  readonly name: OperationName;
  /** Never an administrator, because rules do not apply to administrators. */
  readonly identity: Principal;
  readonly rules: RuleSet;
  readonly operation: DecidedOperation;
  /**
   * Whether the operation cannot be decided again from its record, for one of three reasons: the value in `operation`
   * is not the one that would be stored, or is long and must be read from the store, or its timestamps were resolved
   * before the operation.
   */
  readonly isUnrepeatable: boolean;
  /** Returns the network of the client; absent if the server itself asks. */
  readonly networkOf?: (() => string) | undefined;
}

/** The caller of an operation and the operation's name, as the denial log and the profiler record them. */
export interface RequestContext {
  readonly operation: OperationName;
  readonly identity: Principal;
  /** Returns the network of the client; absent if the server itself asks. */
  readonly networkOf?: (() => string) | undefined;
}
