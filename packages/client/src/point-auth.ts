import type { Auth } from 'firebase/auth';
import type { HearthAddress } from './hearth-address.ts';
import { unsupportedSdk } from './unsupported-sdk.ts';

/** The parts of an Auth that the SDK does not publish. */
interface AuthInternals {
  /** False once a request has been sent. */
  readonly _canInitEmulator?: unknown;
  /** Ends the instance before it has sent anything. */
  _delete?(): Promise<void>;
}

/**
 * Makes a new Auth send its requests to a Hearth server. To be called in the tick in which the Auth was made: later it may
 * have sent the token of a user it remembers to its own host. Throws if that has happened or cannot be ruled out, and ends the
 * Auth, so that nothing is sent afterwards either.
 */
export function pointAuth(auth: Auth, address: HearthAddress): void {
  const internals: AuthInternals & Auth = auth;
  const problem = findProblem(internals) ?? assignHosts(auth, address);
  if (problem === undefined) return;
  void internals._delete?.();
  throw problem;
}

function findProblem(internals: AuthInternals & Auth): Error | undefined {
  if (typeof internals._canInitEmulator !== 'boolean') {
    return unsupportedSdk('its Auth does not tell whether it has sent a request (_canInitEmulator)');
  }
  if (!internals._canInitEmulator) {
    return new Error(
      'This Auth has already sent a request to its own host: call hearthAuth before any other use.',
    );
  }
  const { config } = internals;
  const missing = (['apiScheme', 'apiHost', 'tokenApiHost'] as const).find(
    (name) => typeof config?.[name] !== 'string',
  );
  return missing === undefined
    ? undefined
    : unsupportedSdk(`its Auth does not say where it sends requests (config.${missing})`);
}

function assignHosts(auth: Auth, { scheme, host }: HearthAddress): Error | undefined {
  const wanted = { apiScheme: scheme, apiHost: host, tokenApiHost: host, authDomain: host };
  const refused = Object.entries(wanted).find(
    // Read from the Auth again, in case it hands out copies.
    ([name, value]) => !Reflect.set(auth.config, name, value) || Reflect.get(auth.config, name) !== value,
  );
  return refused === undefined
    ? undefined
    : unsupportedSdk(`its Auth does not let its requests be sent elsewhere (config.${refused[0]})`);
}
