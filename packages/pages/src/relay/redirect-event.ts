import { type AppKey, storageKeyOf } from './app-key.ts';
import { type AuthEvent, parseAuthEvent } from './auth-event.ts';

/**
 * Returns the storage key under which the page after a redirect leaves the event for the frame. Both belong to the same
 * origin and tab.
 */
function nameOf(app: AppKey): string {
  return `firebase:redirectEvent:${storageKeyOf(app)}`;
}

/** Stores the event for the frame. Throws if the browser does not allow storage. */
export function storeRedirectEvent(storage: Storage, app: AppKey, event: AuthEvent): void {
  storage.setItem(nameOf(app), JSON.stringify(event));
}

/** Returns the event that a redirect left, and removes it. Returns undefined if there is none, or no storage. */
export function takeRedirectEvent(storage: () => Storage, app: AppKey): AuthEvent | undefined {
  try {
    const name = nameOf(app);
    const text = storage().getItem(name);
    storage().removeItem(name);
    return text === null ? undefined : parseAuthEvent(JSON.parse(text));
  } catch {
    // A browser that blocks storage in frames throws. The app then sees that no redirect returned.
    return undefined;
  }
}
