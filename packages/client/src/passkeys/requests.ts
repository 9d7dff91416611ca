import { FirebaseError } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import { unsupportedSdk } from '../sdk.ts';
import { withTimeLimit } from '../time-limit.ts';

const NETWORK_FAILURE = 'auth/network-request-failed';

export type Json = Readonly<Record<string, unknown>>;

/** Members of an Auth's configuration that the SDK does not publish for all builds. */
interface AuthAddress {
  readonly apiScheme?: unknown;
  readonly apiHost?: unknown;
}

/** Returns the address to which an Auth sends its requests. */
export function originOf(auth: Auth): string {
  const { emulatorConfig } = auth;
  if (emulatorConfig !== null && emulatorConfig !== undefined) {
    const { protocol, host, port } = emulatorConfig;
    return `${protocol}://${host}${port === null ? '' : `:${port}`}`;
  }
  const { apiScheme, apiHost }: AuthAddress = auth.config;
  if (typeof apiScheme !== 'string' || typeof apiHost !== 'string')
    throw unsupportedSdk('its Auth does not show where it sends requests (config.apiHost)');
  return `${apiScheme}://${apiHost}`;
}

/**
 * Calls a method of the Auth API. Throws a `FirebaseError` like those of the SDK: `auth/` and the error code of the
 * server in lower case, or `auth/network-request-failed`, also if the response takes longer than 30 s.
 */
export async function callAuthApi(auth: Auth, path: string, body: Json): Promise<Json> {
  const url = `${originOf(auth)}${path}?key=${encodeURIComponent(auth.config.apiKey)}`;
  const { isOk, json } = await withTimeLimit(async (signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(auth.languageCode === null ? {} : { 'x-firebase-locale': auth.languageCode }),
      },
      body: JSON.stringify(body),
      signal,
    });
    const json: unknown = await response.json();
    return { isOk: response.ok, json };
  }).catch((cause: unknown) => {
    throw networkFailure(cause);
  });
  const answer: Json = Object(json);
  if (isOk) return answer;
  const { message }: { readonly message?: unknown } = Object(answer['error']);
  throw errorOf(typeof message === 'string' ? message : 'INTERNAL_ERROR');
}

/** Returns whether a request failed without an answer of the server, so that the same request may succeed later. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof FirebaseError && error.code === NETWORK_FAILURE;
}

function networkFailure(cause: unknown): FirebaseError {
  const error = new FirebaseError(NETWORK_FAILURE, 'The server did not answer.');
  error.cause = cause;
  return error;
}

function errorOf(message: string): FirebaseError {
  const [, code = 'INTERNAL_ERROR', detail] = /^([A-Z_]+)(?: : (.*))?$/s.exec(message) ?? [];
  return new FirebaseError(`auth/${code.toLowerCase().replaceAll('_', '-')}`, detail ?? message);
}
