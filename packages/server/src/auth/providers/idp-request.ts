import type { RecordStoreTransaction } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { ProviderAssertion } from './assertion.ts';

/** The fields that a client sends to sign in with another provider. */
export interface IdpRequest {
  /** The address of the page to which the provider returned; for credentials from the app, an address without meaning. */
  readonly requestUri: URL;
  /** The parameters of `postBody`, and of the query and the fragment of `requestUri`. */
  readonly parameters: URLSearchParams;
  readonly sessionId: string | undefined;
  /** A token of an earlier response, in place of a credential. */
  readonly pendingToken: string | undefined;
}

/** A verified assertion, and how the project uses it. */
export interface VerifiedAssertion {
  readonly assertion: ProviderAssertion;
  /** Whether the project accepts the assertion as proof that the user owns the address. */
  readonly isEmailProven: boolean;
  /** Uses up the assertion when the sign-in commits. Throws if it was used in the meantime. */
  readonly spend: (transaction: RecordStoreTransaction) => void;
  /** Whether the sign-in may create an account. Absent if the request decides. */
  readonly mayCreate?: boolean;
  /** A text that the client gave when it began the sign-in; `null` or absent for none. */
  readonly context?: string | null;
}

/**
 * Returns the assertion of a request after verifying it; `undefined` if the request is not of the kind that this source
 * verifies.
 */
export type AssertionSource = (
  call: AuthRequest,
  services: AuthServices,
  request: IdpRequest,
) => Promise<VerifiedAssertion | undefined>;

/** Creates the error for a provider that the project does not have, or has not enabled. */
export function providerNotEnabled(): AuthApiError {
  return new AuthApiError('OPERATION_NOT_ALLOWED', 'The identity provider configuration is not found.');
}

/** Reads the request. Throws `MISSING_REQUEST_URI` or `INVALID_REQUEST_URI`. */
export function readIdpRequest(fields: Fields): IdpRequest {
  const requestUri = URL.parse(fields.require('requestUri', 'MISSING_REQUEST_URI'));
  if (requestUri === null) throw new AuthApiError('INVALID_REQUEST_URI');
  const parameters = new URLSearchParams(requestUri.search);
  const others = [fields.filled('postBody') ?? '', requestUri.hash.replace(/^#/, '')];
  for (const text of others)
    for (const [name, value] of new URLSearchParams(text)) parameters.set(name, value);
  const pendingToken = fields.filled('pendingToken') ?? (parameters.get('pendingToken') || undefined);
  return { requestUri, parameters, sessionId: fields.filled('sessionId'), pendingToken };
}
