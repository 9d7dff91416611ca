import { RequestError } from '@hearth/core/error/request-error.ts';
import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { Fields } from '@hearth/core/wire/client-messages.ts';
import {
  credentialRevokedPush,
  listenRevokedPush,
  pongMessage,
  responseMessage,
} from '@hearth/core/wire/server-messages.ts';
import type { Principal } from '../../access/principal.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Action } from './action.ts';
import type { ActiveListen } from './session-listens.ts';

/** A message of the client that was not executed yet, in the order of arrival. */
export type Queued =
  | { readonly kind: 'ping' }
  /** A request of a client that has disconnected. */
  | { readonly kind: 'dropped' }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly action: string;
      readonly run: Action;
      readonly body: Fields;
      readonly isForClient: boolean;
      /** Time of arrival. */
      readonly arrivedMs: number;
    }
  | { readonly kind: 'credential'; readonly id: number; outcome: Verified | undefined };

/** The result of verifying a credential: its principal, or the error. */
export type Verified =
  | { readonly kind: 'identity'; readonly identity: Principal }
  | { readonly kind: 'failure'; readonly error: unknown };

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

export function errorMessage(id: number, requestError: RequestError): string {
  return responseMessage(id, requestError.spec.wire, JSON.stringify(requestError.message));
}

export function authenticatedJson(identity: Principal): string {
  const isUser = identity.kind === 'user';
  const expires = isUser && identity.expiresAtMs !== null ? Math.floor(identity.expiresAtMs / 1000) : null;
  return canonicalJson({ auth: isUser ? identity.auth : null, expires });
}

export function revocation(listen: ActiveListen): string {
  const path = formatPath(listen.path);
  return listen.kind === 'query' ? listenRevokedPush(path, listen.queryJson) : listenRevokedPush(path);
}
