import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { JsonObject } from '../../accounts/fields.ts';

/** A request that is refused for what it is as such: no method of identity has seen it. */
export class TransportError extends Error {
  readonly status: number;
  /** By which some clients tell such refusals apart. */
  readonly reason: string;
  /** The name of the status in the answer, where there is one. */
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
  return new TransportError(405, `There is ${known.join(', ')} at this address.`, 'httpMethod');
}

export function nothingThere(path: string): TransportError {
  return new TransportError(404, `There is nothing at ${path}.`, 'notFound', 'NOT_FOUND');
}

/** The same for a body that could not be read; `undefined` for everything else. */
export function findTransportError(error: unknown): TransportError | undefined {
  if (error instanceof TransportError) return error;
  if (!(error instanceof Refusal) || error.spec.http >= 500) return undefined;
  return new TransportError(error.spec.http, error.message, 'badRequest', 'INVALID_ARGUMENT');
}

/** The answer in which clients look for the reason of a refusal. All values of `errors` are text. */
export function errorEnvelope(
  status: number,
  message: string,
  reason = 'invalid',
  statusName?: string,
): JsonObject {
  return {
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason }],
      ...(statusName === undefined ? {} : { status: statusName }),
    },
  };
}
