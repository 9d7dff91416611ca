import type { ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Headers } from '../../http/response.ts';
import { AppCheckFailure } from '../app-check/require-app-check.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { PasswordHasherBusy } from '../passwords/hashing-queue.ts';
import { PasswordTooLong } from '../passwords/policy.ts';
import { PrintedJson } from '../request.ts';
import { TokenProblem } from '../tokens/jwt.ts';

/** Converts the rejection of an administrator to an error of this API. Returns other errors unchanged. */
export function asAuthApiError(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  switch (error.code) {
    case 'auth/admin-only':
      return new AuthApiError('UNAUTHENTICATED', undefined, { cause: error });
    case 'auth/unreadable':
    case 'auth/expired':
      return new AuthApiError('UNAUTHENTICATED', error.message, { cause: error });
    case 'member/unknown':
    case 'member/second-factor':
      return new AuthApiError('PERMISSION_DENIED', error.message, { cause: error });
    default:
      return error;
  }
}

/** The error of a request that no method of the Auth API can handle, such as one without an API key. */
class TransportError extends Error {
  readonly status: number;
  /** Some clients distinguish transport errors by their reason. */
  readonly reason: string;
  /** The name of the status in the response, if it has one. */
  readonly statusName: string | undefined;

  constructor(status: number, message: string, reason: string, statusName?: string) {
    super(message);
    this.name = 'TransportError';
    this.status = status;
    this.reason = reason;
    this.statusName = statusName;
  }
}

export function missingApiKey(): TransportError {
  return new TransportError(403, 'The request is missing a valid API key.', 'forbidden', 'PERMISSION_DENIED');
}

export function unknownApiKey(): TransportError {
  return new TransportError(
    400,
    'API key not valid. Please pass a valid API key.',
    'keyInvalid',
    'INVALID_ARGUMENT',
  );
}

export function unauthenticated(): TransportError {
  return new TransportError(
    401,
    'Request is missing required authentication credential: send an access token of an administrator.',
    'required',
    'UNAUTHENTICATED',
  );
}

export function wrongMethod(known: readonly string[]): TransportError {
  return new TransportError(405, `This address supports only ${known.join(', ')}.`, 'httpMethod');
}

export function unknownPath(path: string): TransportError {
  return new TransportError(404, `No method exists at ${path}.`, 'notFound', 'NOT_FOUND');
}

/**
 * Returns a `TransportError` as it is, and converts a `RequestError` whose status is below 500. Returns `undefined`
 * for all other errors.
 */
function findTransportError(error: unknown): TransportError | undefined {
  if (error instanceof TransportError) return error;
  if (!(error instanceof RequestError) || error.spec.http >= 500) return undefined;
  return new TransportError(error.spec.http, error.message, 'badRequest', 'INVALID_ARGUMENT');
}

/** Creates an error response in the format that the official clients parse. All values in `errors` are strings. */
function errorEnvelope(status: number, message: string, reason = 'invalid', statusName?: string): JsonObject {
  return {
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason }],
      ...(statusName === undefined ? {} : { status: statusName }),
    },
  };
}

/** The response to a failed request. */
export type Failure =
  | { readonly kind: 'rejected'; readonly status: number; readonly json: JsonObject }
  /** A response that is not JSON: clients treat it as a network failure, and keep the user signed in. */
  | { readonly kind: 'unavailable'; readonly retryAfterSec: number; readonly status?: 429 }
  /** A request that needs an App Check token. The text is not JSON, so that clients keep the user signed in. */
  | { readonly kind: 'app-check'; readonly status: 401; readonly text: string }
  /** A bug in the server. */
  | { readonly kind: 'unexpected' };

/**
 * Time until clients should retry when the queue of passwords is full, in s: hashing a full queue takes a few
 * seconds.
 */
const HASHING_RETRY_SEC = 3;

/** Time until clients should retry when the disk is full, in s: an operator has to make space. */
const DISK_FULL_RETRY_SEC = 30;

export function describeFailure(thrown: unknown): Failure {
  const error = asAuthApiError(thrown);
  const transport = findTransportError(error);
  if (transport !== undefined) {
    const { status, message, reason, statusName } = transport;
    return { kind: 'rejected', status, json: errorEnvelope(status, message, reason, statusName) };
  }
  if (error instanceof AppCheckFailure)
    return error.isOfSession
      ? { kind: 'app-check', status: 401, text: `${error.message}\n` }
      : {
          kind: 'rejected',
          status: 401,
          json: errorEnvelope(401, error.message, 'unauthorized', 'UNAUTHENTICATED'),
        };
  if (error instanceof AuthApiError) return denied(error.http, error.message);
  if (error instanceof TokenProblem)
    return denied(error.code === 'UNAUTHENTICATED' ? 401 : 400, error.message);
  if (error instanceof PasswordTooLong) return denied(400, 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS');
  if (error instanceof AuthOverload) {
    const { retryAfterSec, status } = error;
    return { kind: 'unavailable', retryAfterSec, ...(status === 429 ? { status } : {}) };
  }
  if (error instanceof PasswordHasherBusy) return { kind: 'unavailable', retryAfterSec: HASHING_RETRY_SEC };
  // For example a full disk, which is not a bug.
  if (error instanceof RequestError && error.code !== 'internal/error')
    return { kind: 'unavailable', retryAfterSec: DISK_FULL_RETRY_SEC };
  return { kind: 'unexpected' };
}

function denied(status: number, message: string): Failure {
  return { kind: 'rejected', status, json: errorEnvelope(status, message) };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  json: JsonObject | readonly object[] | PrintedJson,
  headers: Headers,
): void {
  const { bytes } = json instanceof PrintedJson ? json : new PrintedJson(json);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
