import { FirebaseError } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import { challengeOf, randomText, showOwnFragment, splitFragment } from './app-secret.ts';
import type { AuthEvent } from './auth-events.ts';
import { callAuthApi } from './passkeys/requests.ts';

/** The members of a provider of the SDK that its page needs. */
export interface RedirectProvider {
  readonly providerId: string;
  getCustomParameters?(): object;
  getScopes?(): readonly string[];
}

/** What the tab stores while its user is at the provider. */
interface Started {
  readonly verifier: string;
  readonly challenge: string;
}

const PARAMETER = '__fbauth';

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

/**
 * Returns the redirect of an Auth that has returned to this page, and removes its code from the address; undefined if there
 * is none, or if another tab or another site began it.
 */
export function takeReturnedRedirect(auth: Auth): ReturnedRedirect | undefined {
  if (typeof location === 'undefined') return undefined;
  const fragment = splitFragment(location.hash, PARAMETER);
  if (fragment.answer === undefined) return undefined;
  const started = findStarted(auth);
  if (started === undefined || fragment.answer.get('challenge') !== started.challenge) return undefined;
  sessionStorage.removeItem(storageKey(auth));
  showOwnFragment(fragment);
  return { code: fragment.answer.get(PARAMETER) ?? '', verifier: started.verifier };
}

/** Exchanges the code for the event. Resolves to undefined if the server does not know the code, and rejects if it does not answer. */
export async function readRedirectEvent(
  auth: Auth,
  { code, verifier }: ReturnedRedirect,
): Promise<AuthEvent | undefined> {
  try {
    const { event } = await callAuthApi(auth, '/__/auth/redirect-result', { code, verifier });
    return event as AuthEvent;
  } catch (error) {
    if (error instanceof FirebaseError && error.code === 'auth/invalid-code') return undefined;
    throw error;
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
