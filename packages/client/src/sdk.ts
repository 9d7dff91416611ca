import { type FirebaseApp, SDK_VERSION } from 'firebase/app';

/**
 * Returns an error for an SDK whose internal members differ from those that this package uses. `what` is a clause that
 * names the difference.
 */
export function unsupportedSdk(what: string): Error {
  return new Error(
    `@hearth/client cannot point firebase ${SDK_VERSION} at a Hearth server: ${what}. Install a version of firebase that @hearth/client supports, or a newer @hearth/client.`,
  );
}

/** Members of an app that the SDK does not publish. */
interface AppInternals {
  readonly container?: {
    getProvider?(name: string): { isInitialized?(): boolean } | undefined;
  };
}

/** Returns whether the app already has an instance of a service. Throws if the SDK does not reveal that. */
export function hasService(app: FirebaseApp, name: 'auth' | 'database'): boolean {
  const internals: FirebaseApp & AppInternals = app;
  const isInitialized = internals.container?.getProvider?.(name)?.isInitialized?.();
  if (typeof isInitialized !== 'boolean') {
    throw unsupportedSdk('its apps do not show which services they have (container)');
  }
  return isInitialized;
}
