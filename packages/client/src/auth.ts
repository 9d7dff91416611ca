import { type FirebaseApp, FirebaseError } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import * as sdk from 'firebase/auth';
import { type HearthAddress, parseHearthAddress } from './address.ts';
import { findPopupRedirectResolver, keepReturnedRedirect } from './popup-redirect-resolver.ts';
import { hasService, unsupportedSdk } from './sdk.ts';

/** Members of an Auth that the SDK does not publish. */
interface AuthInternals {
  /** False after the first request. */
  readonly _canInitEmulator?: unknown;
  /** Ends the instance. */
  _delete?(): Promise<void>;
}

/**
 * Makes a new Auth send its requests to a Hearth server. Must be called in the tick that created the Auth,
 * because later the Auth may have sent the token of a stored user to its own host. Throws if the Auth has sent a
 * request or does not show whether it has, or if its hosts cannot be changed. In all these cases, ends the Auth, so
 * that the Auth sends nothing afterwards.
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
    return unsupportedSdk('its Auth does not show whether it has sent a request (_canInitEmulator)');
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
    : unsupportedSdk(`its Auth does not show where it sends requests (config.${missing})`);
}

function assignHosts(auth: Auth, { scheme, host }: HearthAddress): Error | undefined {
  const wanted = { apiScheme: scheme, apiHost: host, tokenApiHost: host, authDomain: host };
  const denied = Object.entries(wanted).find(
    // Reads the value again, in case the Auth returns copies.
    ([name, value]) => !Reflect.set(auth.config, name, value) || Reflect.get(auth.config, name) !== value,
  );
  return denied === undefined
    ? undefined
    : unsupportedSdk(`its Auth does not allow other hosts (config.${denied[0]})`);
}

// The SDK's builds for workers, extensions and React Native lack some exports. As members of the namespace `sdk`,
// missing exports are undefined. An import by name would fail.

/** The options of `initializeAuth`, except the popup resolver, which Hearth provides. */
export type HearthAuthOptions = Omit<sdk.Dependencies, 'popupRedirectResolver'>;

/**
 * Creates the Auth of an app, like `getAuth(app)`, and makes it send requests only to the Hearth server at `url`.
 * Stores sessions like `getAuth`, unless `options.persistence` is set. Throws if `url` is not the address of a server,
 * if the app already has an Auth, or if the installed SDK cannot be pointed at another server. After an error, the new
 * Auth sends no request.
 */
export function hearthAuth(app: FirebaseApp, url: string, options: HearthAuthOptions = {}): sdk.Auth {
  const address = parseHearthAddress(url);
  if (hasService(app, 'auth')) {
    throw new FirebaseError(
      'auth/already-initialized',
      `The app "${app.name}" already has an Auth: call hearthAuth once, instead of getAuth or initializeAuth.`,
    );
  }
  const resolver = findPopupRedirectResolver(sdk.browserPopupRedirectResolver);
  const auth = sdk.initializeAuth(app, {
    persistence: defaultPersistence(),
    ...options,
    ...(resolver === undefined ? {} : { popupRedirectResolver: resolver }),
  });
  pointAuth(auth, address);
  keepReturnedRedirect(auth);
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
