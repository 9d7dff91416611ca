import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { JsonObject } from '../../accounts/fields.ts';
import { IdentityError, IdentityOverload } from '../../accounts/identity-error.ts';
import { PasswordHasherBusy } from '../../passwords/hashing-queue.ts';
import { PasswordTooLong } from '../../passwords/password-bytes.ts';
import { TokenProblem } from '../../tokens/token-problem.ts';
import { asIdentityError } from './as-identity-error.ts';
import { errorEnvelope, findTransportError } from './transport-error.ts';

/** What a failed request is answered with. */
export type Failure =
  | { readonly kind: 'refused'; readonly status: number; readonly json: JsonObject }
  /** Not as JSON: clients would take that for the end of their session, and this for a network that fails. */
  | { readonly kind: 'unavailable'; readonly retryAfterSec: number }
  /** A bug. */
  | { readonly kind: 'unexpected' };

/** Hashing a queue of passwords takes a few seconds. */
const HASHING_SEC = 3;

/** A disk that is full needs somebody to come. */
const STORE_SEC = 30;

export function describeFailure(thrown: unknown): Failure {
  const error = asIdentityError(thrown);
  const transport = findTransportError(error);
  if (transport !== undefined) {
    const { status, message, reason, statusName } = transport;
    return { kind: 'refused', status, json: errorEnvelope(status, message, reason, statusName) };
  }
  if (error instanceof IdentityError) return refused(error.http, error.message);
  if (error instanceof TokenProblem)
    return refused(error.code === 'UNAUTHENTICATED' ? 401 : 400, error.message);
  if (error instanceof PasswordTooLong) return refused(400, 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS');
  if (error instanceof IdentityOverload) return { kind: 'unavailable', retryAfterSec: error.retryAfterSec };
  if (error instanceof PasswordHasherBusy) return { kind: 'unavailable', retryAfterSec: HASHING_SEC };
  // A disk that is full, for one, which is no bug.
  if (error instanceof Refusal && error.code !== 'internal/error')
    return { kind: 'unavailable', retryAfterSec: STORE_SEC };
  return { kind: 'unexpected' };
}

function refused(status: number, message: string): Failure {
  return { kind: 'refused', status, json: errorEnvelope(status, message) };
}
