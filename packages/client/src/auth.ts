import { type FirebaseApp, FirebaseError } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import * as sdk from 'firebase/auth';
import { type HearthAddress, parseHearthAddress } from './address.ts';
import { findPopupRedirectResolver } from './popup-redirect-resolver.ts';
import { hasService, unsupportedSdk } from './sdk.ts';

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
  const denied = Object.entries(wanted).find(
    // Read from the Auth again, in case it hands out copies.
    ([name, value]) => !Reflect.set(auth.config, name, value) || Reflect.get(auth.config, name) !== value,
  );
  return denied === undefined
    ? undefined
    : unsupportedSdk(`its Auth does not let its requests be sent elsewhere (config.${denied[0]})`);
}

// The builds for workers, extensions and React Native lack some names: members of the whole are undefined there, imports of
// their own would fail.

/** What `initializeAuth` takes, apart from the resolver of popups, which is Hearth's own. */
export type HearthAuthOptions = Omit<sdk.Dependencies, 'popupRedirectResolver'>;

/**
 * Makes the Auth of an app, like `getAuth(app)`, that talks to the Hearth server at `url` and to nobody else.
 * Sessions are kept as `getAuth` keeps them, unless `options.persistence` says otherwise. Throws if the app has an Auth already, or
 * if the installed SDK cannot be pointed elsewhere; then nothing is sent to anybody.
 */
export function hearthAuth(app: FirebaseApp, url: string, options: HearthAuthOptions = {}): sdk.Auth {
  const address = parseHearthAddress(url);
  if (hasService(app, 'auth')) {
    throw new FirebaseError(
      'auth/already-initialized',
      `The app "${app.name}" has an Auth already: call hearthAuth instead of getAuth or initializeAuth, once, and before them.`,
    );
  }
  const resolver = findPopupRedirectResolver(sdk.browserPopupRedirectResolver);
  const auth = sdk.initializeAuth(app, {
    persistence: defaultPersistence(),
    ...options,
    ...(resolver === undefined ? {} : { popupRedirectResolver: resolver }),
  });
  pointAuth(auth, address);
  return auth;
}

function defaultPersistence(): sdk.Persistence[] {
  const inOrder: readonly (sdk.Persistence | undefined)[] = [
    sdk.indexedDBLocalPersistence,
    sdk.browserLocalPersistence,
    sdk.browserSessionPersistence,
  ];
  return inOrder.filter((persistence) => persistence !== undefined);
}
