import { type FirebaseApp, FirebaseError } from 'firebase/app';
// The builds for workers, extensions and React Native lack some names: members of the whole are undefined there, imports of
// their own would fail.
import * as sdk from 'firebase/auth';
import { hasService } from './has-service.ts';
import { parseHearthAddress } from './hearth-address.ts';
import { pointAuth } from './point-auth.ts';
import { findPopupRedirectResolver } from './popup-redirect-resolver.ts';

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
