import type { HostedStart } from './parameters.ts';

/**
 * Returns the storage key of the data that the page keeps while the user is at another provider. Only scripts of this
 * origin can read them.
 */
function keyOf({ apiKey, tenantId }: HostedStart): string {
  return `hearth:provider:${apiKey}:${tenantId ?? ''}`;
}

/** Returns what the page has stored, and removes it. Returns null if there is nothing, or no storage. */
export function takePending(start: HostedStart): string | null {
  try {
    const text = sessionStorage.getItem(keyOf(start));
    sessionStorage.removeItem(keyOf(start));
    return text;
  } catch {
    // A browser that blocks storage throws. It cannot have left for a provider.
    return null;
  }
}

/** Stores what the page begins. Throws if the browser blocks storage. */
export function storePending(start: HostedStart, text: string): void {
  sessionStorage.setItem(keyOf(start), text);
}
