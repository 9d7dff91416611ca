import type { HostedStart } from './parameters.ts';

/** How long the browser remembers the address of a link: as long as the link works, in ms. */
const ADDRESS_MS = 21_600_000;
/** Longest address of the app that a link contains. The server limits the whole address to 2,048 characters. */
const MAX_APP_URL_LENGTH = 1_024;

type Visit = Pick<HostedStart, 'apiKey' | 'tenantId'>;

function keyOf(purpose: 'address' | 'signedIn' | 'continue', { apiKey, tenantId }: Visit): string {
  return `hearth:${purpose}:${apiKey}:${tenantId ?? ''}`;
}

/**
 * Returns the address of this page to which a link in a mail leads. The address does not contain the challenge of the
 * app, because only the tab that began the sign-in has the secret of the challenge.
 */
export function linkTarget({ apiKey, tenantId, redirectUrl, screen }: HostedStart, language: string): URL {
  const url = new URL(location.pathname, location.origin);
  const isShort = redirectUrl.href.length <= MAX_APP_URL_LENGTH;
  url.search = String(
    new URLSearchParams({
      apiKey,
      redirectUrl: isShort ? redirectUrl.href : redirectUrl.origin,
      screen: screen === 'account' ? screen : 'sign-in',
      lang: language,
      ...(tenantId === undefined ? {} : { tid: tenantId }),
    }),
  );
  return url;
}

/** Remembers the address to which a link is sent, so that this browser need not ask for it. */
export function rememberAddress(visit: Visit, email: string): void {
  try {
    localStorage.setItem(
      keyOf('address', visit),
      JSON.stringify({ email, untilMs: Date.now() + ADDRESS_MS }),
    );
  } catch {
    // A browser that blocks storage asks for the address.
  }
}

/** Returns the address to which this browser requested a link, and forgets it. */
export function takeAddress(visit: Visit): string | undefined {
  try {
    const text = localStorage.getItem(keyOf('address', visit));
    localStorage.removeItem(keyOf('address', visit));
    if (text === null) return undefined;
    const { email, untilMs } = JSON.parse(text) as { readonly email: string; readonly untilMs: number };
    return untilMs > Date.now() ? email : undefined;
  } catch {
    return undefined;
  }
}

/** Reports to the other tabs of this browser that a link has signed the user in. */
export function announceSignIn(visit: Visit): void {
  const channel = new BroadcastChannel(keyOf('signedIn', visit));
  channel.postMessage(null);
  channel.close();
}

/**
 * Calls the listener when another tab may have signed the user in: when it says so, and when the user returns to this tab.
 * Returns a function that ends this.
 */
export function onSignInElsewhere(visit: Visit, listener: () => void): () => void {
  const channel = new BroadcastChannel(keyOf('signedIn', visit));
  channel.onmessage = listener;
  const whenShown = () => {
    if (document.visibilityState === 'visible') listener();
  };
  document.addEventListener('visibilitychange', whenShown);
  return () => {
    channel.close();
    document.removeEventListener('visibilitychange', whenShown);
  };
}

/** Stores in this tab that the user wants to continue to the app, which then need not ask again. */
export function storeContinuation(visit: Visit, appOrigin: string): void {
  try {
    sessionStorage.setItem(keyOf('continue', visit), appOrigin);
  } catch {
    // A browser that blocks storage asks again.
  }
}

/** Returns whether the user has just wanted to continue to the app, and forgets it. */
export function takeContinuation(visit: Visit, appOrigin: string): boolean {
  try {
    const origin = sessionStorage.getItem(keyOf('continue', visit));
    sessionStorage.removeItem(keyOf('continue', visit));
    return origin === appOrigin;
  } catch {
    return false;
  }
}
