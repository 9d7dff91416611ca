import * as oidc from 'openid-client';
import { AuthApiError, AuthOverload } from '../errors.ts';
import { ProviderFailure } from '../providers/provider-requests.ts';

/** Longest reason of a failure in the audit log, in UTF-16 code units. */
const MAX_REASON_LENGTH = 300;

/** Why a flow fails. */
export type FlowFailure =
  /** Too many requests to providers are running. */
  | { readonly kind: 'overload' }
  /** The provider does not answer, or its response is not valid. The reason is for administrators. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Returns why a flow fails. Throws the error if it is a bug. */
export function failureOf(cause: unknown): FlowFailure {
  if (findOverload(cause) !== undefined) return { kind: 'overload' };
  const isExpected =
    cause instanceof oidc.AuthorizationResponseError ||
    cause instanceof oidc.ResponseBodyError ||
    cause instanceof oidc.ClientError ||
    cause instanceof oidc.WWWAuthenticateChallengeError ||
    cause instanceof ProviderFailure ||
    cause instanceof AuthApiError;
  if (!isExpected) throw cause;
  const reason = cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
  return { kind: 'rejected', reason: reason.slice(0, MAX_REASON_LENGTH) };
}

/** Returns the error of too many running requests. The OpenID library wraps errors of the requests that it makes. */
export function findOverload(cause: unknown): AuthOverload | undefined {
  const inner = cause instanceof Error && cause.cause instanceof AuthOverload ? cause.cause : cause;
  return inner instanceof AuthOverload ? inner : undefined;
}
