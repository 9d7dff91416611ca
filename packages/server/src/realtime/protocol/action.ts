import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import { LongJson } from '@hearth/core/wire/long-message.ts';
import type { OperationName, RequestContext } from '../../access/authorization-request.ts';
import type { Principal } from '../../access/principal.ts';
import type { Credential, CredentialVerifier } from '../../access/verifier.ts';
import type { Admission } from '../../platform/admission.ts';
import type { HeldBytes } from '../../platform/held-bytes.ts';
import type { PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import { type Database, type PendingScan, PostponedRequest, type ScanMemory } from '../database/database.ts';
import type { ExpectedNode } from '../database/write-input.ts';
import type { UnfinishedSessions } from '../disconnect/queue.ts';
import type { StagedWrites } from '../import/import.ts';
import { ParsedText } from '../import/parsed-text.ts';
import type { Connection } from './connection.ts';
import type { SessionAppCheck, SessionAppCheckOptions } from './session-app-check.ts';
import type { SessionListens } from './session-listens.ts';

/** The part of a session that actions use. */
export interface ActionSession extends Receiver {
  readonly id: string;
  readonly database: Database;
  readonly identity: Principal;
  /** The network of the client. */
  readonly network: string;
  readonly listens: SessionListens;
  /** The size of its onDisconnect writes. */
  readonly disconnectBytes: HeldBytes;
  /** The memory for long messages to the client, in bytes. */
  readonly messageMemory: ScanMemory;
  /**
   * Called when the transaction sends a message whose text is still being generated. The session executes no further
   * request until it is sent: otherwise a client could request more long values than it reads.
   */
  expectPending(transaction: WriteTransaction): void;
  /** Whether the client has read enough to receive more. */
  readonly canReceive: boolean;
  /** The scan that the current request has waited for. */
  readonly scan: PendingScan | undefined;
  /** Stores long values in steps; `null` if every write is executed at once. */
  readonly stagedWrites: StagedWrites | null;
  readonly appCheck: SessionAppCheck;
  /** The name that the client reports for itself. */
  sdk: string | null;
  /** Changes the session's principal, and revokes listens that it may not read. */
  changeIdentity(transaction: WriteTransaction, identity: Principal): void;
}

/** The arguments for opening a session. */
export interface SessionOptions extends SessionAppCheckOptions {
  /** Secret; identifies the session in the handshake and in the store. */
  readonly id: string;
  readonly database: Database;
  readonly connection: Connection;
  readonly scheduler: TransactionScheduler;
  readonly verifier: CredentialVerifier;
  readonly unfinished: UnfinishedSessions;
  readonly stagedWrites?: StagedWrites;
  /** All in bytes. */
  readonly pools: Pick<Admission, 'listens' | 'messages' | 'disconnectWrites'>;
  /** Requests of this session wait until this settles: the end of the session that it replaces. */
  readonly startAfter?: Promise<void>;
  /** Called once the session has finished its work. */
  readonly onOver?: (session: ActionSession) => void;
}

/** Executes a request and returns the JSON text of the response, or throws a `RequestError`. */
export type Action = (
  session: ActionSession,
  transaction: WriteTransaction,
  body: Fields,
) => string | PendingText;

/** How requests with an action are executed. */
export type ActionEntry =
  | {
      readonly kind: 'run';
      readonly run: Action;
      /**
       * Whether the action only affects the data that the client receives. If the client has disconnected, it
       * need not be executed.
       */
      readonly isForClient: boolean;
      /** Whether clients need no App Check token for it: the action neither reads nor changes data. */
      readonly isUnchecked?: true;
    }
  /** Requests whose credential must be verified first. Later requests wait. */
  | { readonly kind: 'credential'; readonly parse: (body: Fields) => Credential | RequestError };

/** Returns the caller of a request, for its authorization. */
export function contextOf(session: ActionSession, operation: OperationName): RequestContext {
  return { operation, identity: session.identity, networkOf: () => session.network };
}

/** Returns a field of a request's body. Throws if it is not a string. */
export function requireString(body: Fields, name: string): string {
  const value = body[name];
  if (typeof value === 'string') return value;
  throw new RequestError('request/malformed', `The request must have a string "${name}".`);
}

/** The long data of requests whose parsing has begun or is complete. */
const PARSED = new WeakMap<LongJson, ParsedText>();

/**
 * Returns the data of a request; `undefined` if it has none. Throws `PostponedRequest` until long data are parsed,
 * `request/malformed` if they are not JSON, and `write/too-big` if they are an object of more than `maxMembers`.
 */
export function findData(
  session: ActionSession,
  body: Fields,
  maxMembers = Number.POSITIVE_INFINITY,
): unknown {
  const data = body['d'];
  if (!(data instanceof LongJson)) return data;
  const parsed = PARSED.get(data);
  if (parsed !== undefined) return finishParsing(parsed);
  const { network, messageMemory: memory } = session;
  const parsing = new ParsedText(data.text, { network, maxMembers, memory });
  PARSED.set(data, parsing);
  throw new PostponedRequest(parsing);
}

function finishParsing(parsed: ParsedText): unknown {
  try {
    return parsed.finish();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'value/unparsable') throw error;
    throw new RequestError('request/malformed', `The data of a message must be JSON. ${error.message}`, {
      cause: error,
    });
  }
}

/** Returns the data of a request like `findData`. Throws if it has none; `null` is a value. */
export function requireData(session: ActionSession, body: Fields): unknown {
  if ('d' in body) return findData(session, body);
  throw new RequestError('request/malformed', 'The request must have a field "d".');
}

/** Returns a field that may be absent. */
export function findString(body: Fields, name: string): string | undefined {
  return body[name] === undefined || body[name] === null ? undefined : requireString(body, name);
}

/** Returns a field that may be absent. Throws if it is not a non-negative integer. */
export function findInteger(body: Fields, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new RequestError(
    'request/malformed',
    `The field "${name}" of the request must be a non-negative integer.`,
  );
}

/** The preconditions of requests. A request that runs again has the same object. */
const EXPECTED = new WeakMap<Fields, ExpectedNode>();

/**
 * Returns the precondition of a write to a path; `undefined` if there is no precondition. Throws if the hash is `null`.
 */
export function findExpected(body: Fields, path: Path): ExpectedNode | undefined {
  if (body['h'] === undefined) return undefined;
  const expected = EXPECTED.get(body) ?? { path, hash: requireString(body, 'h') };
  EXPECTED.set(body, expected);
  return expected;
}

/** Returns the query of a request; `undefined` if it is `null` or absent. */
export function findQueryObject(body: Fields): unknown {
  return body['q'] ?? undefined;
}

/** Returns the start of a text. Copies it, because a slice would keep the whole text in memory. */
export function cutText(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : Buffer.from(text.slice(0, maxUnits)).toString();
}
