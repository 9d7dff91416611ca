import { FirebaseError } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import { challengeOf, randomText, showOwnFragment, splitFragment } from './app-secret.ts';
import type { AuthEvent } from './auth-events.ts';
import { callAuthApi, isNetworkFailure } from './passkeys/requests.ts';

/** The members of a provider of the SDK that its page needs. */
export interface RedirectProvider {
  readonly providerId: string;
  getCustomParameters?(): object;
  getScopes?(): readonly string[];
}

/** The data that the tab stores from the beginning of a redirect until the server has answered for its code. */
interface Started {
  readonly verifier: string;
  readonly challenge: string;
  /** Absent while the user is at the provider. */
  readonly code?: string;
}

const PARAMETER = '__fbauth';
/** The code waits for the server until this time after the first request, in ms. */
const RETRY_MS = 15_000;
const BETWEEN_RETRIES_MS = 1_000;

/**
 * Leaves the app for a provider. The tab keeps a secret, without which the server gives no result: neither a tab that opens
 * the address of a result nor a site that has begun another redirect gets a session.
 */
export async function leaveForProvider(
  auth: Auth,
  origin: string,
  provider: RedirectProvider,
  authType: string,
  eventId: string | undefined,
): Promise<void> {
  const verifier = randomText();
  const challenge = await challengeOf(verifier);
  const redirectUrl = location.href.replace(/#.*$/s, '') + splitFragment(location.hash, PARAMETER).own;
  const { apiKey } = auth.config;
  const query = new URLSearchParams({ apiKey, appName: auth.name, authType, redirectUrl, challenge });
  query.set('providerId', provider.providerId);
  query.set('customParameters', JSON.stringify(provider.getCustomParameters?.() ?? {}));
  query.set('scopes', (provider.getScopes?.() ?? []).join(','));
  if (eventId !== undefined) query.set('eventId', eventId);
  if (auth.tenantId !== null) query.set('tid', auth.tenantId);
  sessionStorage.setItem(storageKey(auth), JSON.stringify({ verifier, challenge } satisfies Started));
  location.assign(`${origin}/__/auth/handler?${query}`);
}

/** A redirect that has returned to this page. */
export interface ReturnedRedirect {
  readonly code: string;
  readonly verifier: string;
}

/** The answer that was in the address of this page, until the Auth that asked for it takes it. */
let unclaimed: URLSearchParams | undefined;

/**
 * Removes the code of a redirect from the address of the page, even if another tab began the redirect. Returns the
 * redirect that has returned to an Auth and that the server has not answered yet, or undefined if there is none. Does
 * not use a code that another tab or another site requested.
 */
export function takeReturnedRedirect(auth: Auth): ReturnedRedirect | undefined {
  if (typeof location === 'undefined') return undefined;
  const fragment = splitFragment(location.hash, PARAMETER);
  if (fragment.answer !== undefined) {
    unclaimed = fragment.answer;
    showOwnFragment(fragment);
  }
  const started = findStarted(auth);
  if (started === undefined) return undefined;
  const { verifier, challenge } = started;
  if (unclaimed?.get('challenge') === challenge) {
    const code = unclaimed.get(PARAMETER) ?? '';
    unclaimed = undefined;
    sessionStorage.setItem(storageKey(auth), JSON.stringify({ verifier, challenge, code } satisfies Started));
    return { code, verifier };
  }
  if (started.code === undefined) return undefined;
  // The server did not answer before the page was loaded again. The SDK regards the redirect as finished.
  sessionStorage.setItem(`firebase:pendingRedirect:${auth.config.apiKey}:${auth.name}`, '"true"');
  return { code: started.code, verifier };
}

/**
 * Exchanges the code for the event, and repeats a request without an answer for 15 s. Resolves to undefined if the
 * server does not know the code. Rejects if the server does not answer; after another load of the page, the Auth tries
 * again.
 */
export async function readRedirectEvent(
  auth: Auth,
  { code, verifier }: ReturnedRedirect,
): Promise<AuthEvent | undefined> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      const { event } = await callAuthApi(auth, '/__/auth/redirect-result', { code, verifier });
      sessionStorage.removeItem(storageKey(auth));
      return event as AuthEvent;
    } catch (error) {
      if (!isNetworkFailure(error)) sessionStorage.removeItem(storageKey(auth));
      else if (performance.now() - startedAtMs < RETRY_MS) {
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_RETRIES_MS));
        continue;
      }
      if (error instanceof FirebaseError && error.code === 'auth/invalid-code') return undefined;
      throw error;
    }
  }
}

function findStarted(auth: Auth): Started | undefined {
  try {
    const text = sessionStorage.getItem(storageKey(auth));
    return text === null ? undefined : (JSON.parse(text) as Started);
  } catch {
    // A browser that blocks storage throws. It cannot have left for a provider.
    return undefined;
  }
}

function storageKey({ config, name }: Auth): string {
  return `hearth:redirect:${config.apiKey}:${name}`;
}
