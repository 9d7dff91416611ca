import { type FirebaseApp, SDK_VERSION } from 'firebase/app';

/** The error of an SDK in which something has moved that this package leans on. `what` continues the sentence. */
export function unsupportedSdk(what: string): Error {
  return new Error(
    `@hearth/client cannot point firebase ${SDK_VERSION} at a Hearth server: ${what}. Install a version of firebase that @hearth/client supports, or a newer @hearth/client.`,
  );
}

/** The part of an app that the SDK does not publish. */
interface AppInternals {
  readonly container?: {
    getProvider?(name: string): { isInitialized?(): boolean } | undefined;
  };
}

/** Whether the app's own instance of a service exists already. Throws if the SDK does not tell. */
export function hasService(app: FirebaseApp, name: 'auth' | 'database'): boolean {
  const internals: FirebaseApp & AppInternals = app;
  const isInitialized = internals.container?.getProvider?.(name)?.isInitialized?.();
  if (typeof isInitialized !== 'boolean') {
    throw unsupportedSdk('its apps do not tell which services they have (container)');
  }
  return isInitialized;
}
