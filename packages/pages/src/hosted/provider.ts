import { findText, type JsonRecord } from '../action/api.ts';
import type { AuthEvent } from '../relay/auth-event.ts';
import { takeRedirectEvent } from '../relay/redirect-event.ts';
import type { Task } from './account/task.ts';
import type { HostedStart } from './parameters.ts';
import { storePending } from './provider-return.ts';
import type { Outcome, PageUser, Server } from './server.ts';

/** The purpose of a visit to another provider: a sign-in, which may continue a task, or a new identity for the account. */
export type ProviderPurpose =
  | { readonly kind: 'signIn' }
  | { readonly kind: 'confirm'; readonly uid: string; readonly task: Task | undefined }
  | { readonly kind: 'link'; readonly uid: string };

interface Pending {
  readonly eventId: string;
  readonly purpose: ProviderPurpose;
}

const AUTH_TYPES = {
  signIn: 'signInViaRedirect',
  confirm: 'reauthViaRedirect',
  link: 'linkViaRedirect',
} as const satisfies Record<ProviderPurpose['kind'], AuthEvent['type']>;

/** The name of this page among the apps of the handler. */
const APP_NAME = 'hearth-hosted';
const ID_BYTES = 32;

/** Leaves the page for a provider. The user returns to the same address. Throws if the browser blocks storage. */
export function leaveForProvider(start: HostedStart, providerId: string, purpose: ProviderPurpose): void {
  const { apiKey, tenantId } = start;
  const eventId = [...crypto.getRandomValues(new Uint8Array(ID_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  storePending(start, JSON.stringify({ eventId, purpose } satisfies Pending));
  const query = new URLSearchParams({
    apiKey,
    appName: APP_NAME,
    authType: AUTH_TYPES[purpose.kind],
    redirectUrl: location.href.replace(/#.*$/s, ''),
    eventId,
    providerId,
    ...(tenantId === undefined ? {} : { tid: tenantId }),
  });
  location.assign(`/__/auth/handler?${query}`);
}

/** A return from a provider. */
export interface ProviderReturn {
  readonly purpose: ProviderPurpose;
  readonly event: AuthEvent;
}

/**
 * Returns the answer of the provider for what the page began; undefined if it did not begin this. Without the check, a link
 * of another site could sign the user in to an account of an attacker.
 */
export function takeReturn({ apiKey }: HostedStart, pendingText: string): ProviderReturn | undefined {
  const { eventId, purpose } = JSON.parse(pendingText) as Pending;
  const event = takeRedirectEvent(() => sessionStorage, { apiKey, appName: APP_NAME });
  const isExpected = event?.eventId === eventId && event.type === AUTH_TYPES[purpose.kind];
  return isExpected ? { purpose, event } : undefined;
}

/** An identity whose email address has an account. The user of the account must sign in before the identity is linked. */
export interface UnlinkedIdentity {
  readonly email: string;
  readonly pendingToken: string;
}

/** Sends the answer of a provider to the server. With a user, adds the identity to the account. */
export async function finishAtProvider(
  server: Server,
  { urlResponse, sessionId, postBody, error }: AuthEvent,
  user?: PageUser,
): Promise<Outcome<JsonRecord>> {
  if (error !== undefined) {
    const isCanceled = error.code === 'auth/user-cancelled';
    return { kind: 'problem', problem: isCanceled ? 'providerCanceled' : 'providerFailed' };
  }
  return server.call('/v1/accounts:signInWithIdp', {
    requestUri: urlResponse,
    sessionId,
    postBody,
    returnSecureToken: true,
    ...(user === undefined ? {} : { idToken: user.idToken }),
  });
}

/**
 * Returns the identity that a sign-in could not use, because another account has its email address and the identity is
 * not linked to that account.
 */
export function findUnlinked(json: JsonRecord): UnlinkedIdentity | undefined {
  const [email, pendingToken] = [findText(json, 'email'), findText(json, 'pendingToken')];
  if (json['needConfirmation'] !== true || email === undefined || pendingToken === undefined)
    return undefined;
  return { email, pendingToken };
}

/** Adds the identity to the account of a user who has signed in another way. */
export async function linkIdentity(
  server: Server,
  user: PageUser,
  { pendingToken }: UnlinkedIdentity,
): Promise<Outcome<PageUser>> {
  const { idToken } = user;
  const outcome = await server.call('/v1/accounts:signInWithIdp', {
    requestUri: location.origin,
    pendingToken,
    idToken,
    returnSecureToken: true,
  });
  return outcome.kind === 'ok' ? server.adopt(outcome.value, user) : outcome;
}
