import { clearTimeout, setTimeout } from 'node:timers';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Fields, isFields } from '@hearth/core/wire/client-messages.ts';
import { ANONYMOUS, findExpiryMs, type Principal } from '../../access/principal.ts';
import { type Credential, isTooDeep, MAX_PRINCIPAL_DEPTH } from '../../access/verifier.ts';
import type { Action } from './action.ts';

/** Maximum delay of a timer of the platform. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Time in which the client of a deleted account may sign out by itself, in ms. */
const SIGN_OUT_MS = 2_000;

/** Calls a function when a credential expires. */
export class CredentialTimer {
  readonly #nowMs: () => number;
  readonly #onExpired: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number, onExpired: () => void) {
    this.#nowMs = nowMs;
    this.#onExpired = onExpired;
  }

  /** Watches the credential of this principal instead of any earlier one. Watches none if it does not expire. */
  watch(identity: Principal): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const expiresAtMs = findExpiryMs(identity);
    if (expiresAtMs === null) return;
    const waitMs = expiresAtMs - this.#nowMs();
    if (waitMs > MAX_WAIT_MS) this.#start(MAX_WAIT_MS, () => this.watch(identity));
    else this.#start(Math.max(waitMs, 0), this.#onExpired);
  }

  /** Reports the credential of a deleted account as expired after `SIGN_OUT_MS`, unless `watch` is called before. */
  watchDeleted(): void {
    clearTimeout(this.#timer);
    this.#start(SIGN_OUT_MS, this.#onExpired);
  }

  #start(waitMs: number, onElapsed: () => void): void {
    this.#timer = setTimeout(onElapsed, waitMs);
    this.#timer.unref();
  }
}

/**
 * Precedes the credential of an administrator who impersonates a user: the user's `auth`, as JSON in base64url.
 */
const IMPERSONATED = /^as\.([A-Za-z0-9_-]+)\./;

/**
 * Parses the credential of `auth` or `gauth`. Both carry any kind of credential: clients choose between them by
 * the form of the token.
 */
export function parseCredential(body: Fields): Credential | RequestError {
  const token = body['cred'];
  if (typeof token !== 'string') return new RequestError('auth/unreadable');
  if (body['noauth'] === true) return { token, override: null };
  const override = body['authvar'];
  if (override !== undefined) return withOverride(token, override);
  const [prefix, encoded] = IMPERSONATED.exec(token) ?? [];
  return prefix === undefined || encoded === undefined
    ? { token }
    : withOverride(token.slice(prefix.length), decodeImpersonated(encoded));
}

/**
 * Decodes the impersonated user of a credential. It replaces `authvar`, which Firebase's SDK does not
 * send in browsers. Returns the text itself if it is not JSON; `withOverride` then rejects it.
 */
function decodeImpersonated(encoded: string): unknown {
  try {
    return parseJsonText(Buffer.from(encoded, 'base64url').toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return encoded;
  }
}

function withOverride(token: string, override: unknown): Credential | RequestError {
  if (isTooDeep(override))
    return new RequestError(
      'request/malformed',
      `The field "authvar" is nested deeper than ${MAX_PRINCIPAL_DEPTH} levels.`,
    );
  if (override === null || isFields(override)) return { token, override };
  return new RequestError('auth/unreadable', 'The impersonated principal must be an object or null.');
}

/** Makes the session anonymous. */
export const unauthenticate: Action = (session, transaction) => {
  session.changeIdentity(transaction, ANONYMOUS);
  return '"unauthenticated"';
};
