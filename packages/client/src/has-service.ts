import type { FirebaseApp } from 'firebase/app';
import { unsupportedSdk } from './unsupported-sdk.ts';

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
