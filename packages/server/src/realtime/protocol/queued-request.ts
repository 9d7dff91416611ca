import { RequestError } from '@hearth/core/error/request-error.ts';
import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import { credentialRevokedPush, pongMessage, responseMessage } from '@hearth/core/wire/server-messages.ts';
import type { Principal } from '../../access/principal.ts';
import type { Credential } from '../../access/verifier.ts';
import { OutgoingMessage, type PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { Database, PendingScan, PostponedRequest, Postponement } from '../database/database.ts';
import type { Action } from './action.ts';
import { mapText, sendHeldValues } from './initial-value.ts';

/** A request that was not executed yet. */
export interface QueuedRequest {
  readonly kind: 'request';
  /** `null` for a request of the session itself, which has no response. */
  readonly id: number | null;
  readonly action: string;
  readonly run: Action;
  readonly body: Fields;
  readonly isForClient: boolean;
  /** Whether the request needs no App Check token. */
  readonly isUnchecked: boolean;
  /** Time of arrival. */
  readonly arrivedMs: number;
  /** The scan whose result the request needs. */
  scan?: PendingScan;
  /** The current or last reason why the request waits. */
  wait?: Postponement;
  isPostponed?: boolean;
}

/** A credential that the client presents. `outcome` is `undefined` while it is being verified. */
export interface QueuedCredential {
  readonly kind: 'credential';
  readonly id: number;
  outcome: Verified | undefined;
}

/** A message of the client that was not executed yet, in the order of arrival. */
export type Queued =
  | { readonly kind: 'ping' }
  /** A request of a client that has disconnected. */
  | { readonly kind: 'dropped' }
  | QueuedRequest
  | QueuedCredential;

/** The result of verifying a credential: its principal, or the error. */
export type Verified =
  | { readonly kind: 'identity'; readonly identity: Principal }
  | { readonly kind: 'failure'; readonly error: unknown };

/** An action as a request is queued with it. */
type QueuedAction = Pick<QueuedRequest, 'run' | 'isForClient'> & Partial<Pick<QueuedRequest, 'isUnchecked'>>;

/** Returns a request as it is queued. `arrivedMs` is the time of its arrival. */
export function queueRequest(
  { id, action, body }: Pick<QueuedRequest, 'id' | 'action' | 'body'>,
  { run, isForClient, isUnchecked = false }: QueuedAction,
  arrivedMs: number,
): QueuedRequest {
  return { kind: 'request', id, action, body, run, isForClient, isUnchecked, arrivedMs };
}

/** Returns the request with which a session sends the values of listens of which changes were held back. */
export function heldValuesRequest(nowMs: number): QueuedRequest {
  const action = { run: sendHeldValues, isForClient: true, isUnchecked: true };
  return queueRequest({ id: null, action: 'held values', body: {} }, action, nowMs);
}

/** Verifies a credential, and calls `onVerified` later, when its outcome is known. */
export function queueCredential(
  id: number,
  credential: Credential | RequestError,
  verify: (credential: Credential) => Promise<Principal>,
  onVerified: (item: QueuedCredential) => void,
): QueuedCredential {
  if (credential instanceof RequestError)
    return { kind: 'credential', id, outcome: { kind: 'failure', error: credential } };
  const item: QueuedCredential = { kind: 'credential', id, outcome: undefined };
  const settle = (outcome: Verified): void => {
    item.outcome = outcome;
    onVerified(item);
  };
  verify(credential).then(
    (identity) => settle({ kind: 'identity', identity }),
    (error: unknown) => settle({ kind: 'failure', error }),
  );
  return item;
}

/** Makes a request wait, and calls `onReady` when it should run again. */
export function postpone(item: QueuedRequest, { wait, scan }: PostponedRequest, onReady: () => void): void {
  const resume = (): void => {
    item.isPostponed = false;
    onReady();
  };
  if (scan !== undefined) item.scan = scan;
  item.wait = wait;
  item.isPostponed = true;
  // An error that ends the wait also ends the request when it runs again.
  wait.run().then(resume, resume);
}

/** Ends the work that a message of the client waits for. */
export function stopWaiting(item: Queued): void {
  if (item.kind !== 'request') return;
  item.wait?.stop();
  item.scan?.stop();
}

/** Returns whether an item can be executed as far as its own preparation is concerned. */
export function isPrepared(item: Queued): boolean {
  if (item.kind === 'credential') return item.outcome !== undefined;
  return item.kind !== 'request' || item.isPostponed !== true;
}

/** Returns the action of a client's message, for the log. */
export function describeQueued({ name }: Database, item: Queued | undefined): string {
  const what =
    item?.kind === 'request' ? `action ${JSON.stringify(item.action.slice(0, 20))}` : (item?.kind ?? 'end');
  return `${what} of a session of ${name}`;
}

/** Records how long the executed requests have taken. */
export function recordLatencies({ activity, elapsedMs }: Database, executed: readonly Queued[]): void {
  const nowMs = elapsedMs();
  for (const item of executed)
    if (item.kind === 'request' && item.id !== null) activity.recordLatency(nowMs - item.arrivedMs);
}

export const PONG = new OutgoingMessage(pongMessage());

export const CREDENTIAL_REVOKED = new OutgoingMessage(credentialRevokedPush('Auth token is expired.'));

export const DROPPED: Queued = { kind: 'dropped' };

export function isForClient(item: Queued): boolean {
  return item.kind === 'ping' || (item.kind === 'request' && item.isForClient);
}

export const UNKNOWN: { readonly run: Action; readonly isForClient: boolean } = {
  run: () => {
    throw new RequestError('request/unknown-action');
  },
  isForClient: true,
};

/** Returns the response to a request. */
export function okResponse(id: number, json: string | PendingText): OutgoingMessage {
  return new OutgoingMessage(mapText(json, (text) => responseMessage(id, 'ok', text)));
}

/** Returns an action that throws an error. */
export function failing(error: RequestError): () => never {
  return () => {
    throw error;
  };
}

/** Returns the response to a request that failed. */
export function errorResponse(id: number, requestError: RequestError): OutgoingMessage {
  return new OutgoingMessage(
    responseMessage(id, requestError.spec.wire, JSON.stringify(requestError.message)),
  );
}

/** Returns the response to a credential. Throws the error of one that is not valid. */
export function authenticatedJson(outcome: Verified | undefined): string {
  if (outcome?.kind !== 'identity') throw outcome?.error ?? new Error('Bug: a credential was not verified');
  const { identity } = outcome;
  const isUser = identity.kind === 'user';
  const expires = isUser && identity.expiresAtMs !== null ? Math.floor(identity.expiresAtMs / 1000) : null;
  return canonicalJson({ auth: isUser ? identity.auth : null, expires });
}
