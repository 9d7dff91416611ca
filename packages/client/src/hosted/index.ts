import { FirebaseError } from 'firebase/app';
import { type Auth, signInWithCustomToken, type UserCredential } from 'firebase/auth';
import { challengeOf, randomText, showOwnFragment, splitFragment } from '../app-secret.ts';
import { callAuthApi, isNetworkFailure, originOf } from '../passkeys/requests.ts';

export interface HostedOptions {
  /** The first form of the page. The default is the form for an existing account. */
  readonly screen?: 'sign-in' | 'sign-up';
  /**
   * The page to which the user returns. Its domain is authorized, and its origin is that of this page. Default: the
   * current page.
   */
  readonly redirectUrl?: string;
}

/** The data that the tab stores from the beginning of a sign-in until the server has answered for its code. */
interface Started {
  readonly state: string;
  readonly verifier: string;
  /** Absent while the user is on the hosted page. */
  readonly code?: string;
}

const PARAMETER = '__hearth';

/**
 * Leaves the app for the sign-in page of the server. The user returns to `redirectUrl`, which calls
 * `finishHostedSignIn`.
 */
export async function startHostedSignIn(auth: Auth, options: HostedOptions = {}): Promise<void> {
  const started = { state: randomText(), verifier: randomText() };
  sessionStorage.setItem(storageKey(auth), JSON.stringify(started));
  const redirectUrl = options.redirectUrl ?? location.href.replace(/#.*$/s, '');
  location.assign(await pageAddress(auth, started, { ...options, redirectUrl }));
}

/**
 * Leaves the app for the account page of the server, on which users change their account. A user who is not signed in on
 * the pages of the server signs in there first. The page leads back to `redirectUrl`.
 */
export function openHostedAccount(auth: Auth, options: Pick<HostedOptions, 'redirectUrl'> = {}): void {
  const redirectUrl = options.redirectUrl ?? location.href.replace(/#.*$/s, '');
  location.assign(addressOf(auth, { redirectUrl, screen: 'account' }));
}

/**
 * Completes a sign-in that `startHostedSignIn` started, and removes its code from the address. Resolves to null on a page
 * to which no sign-in returned. Rejects with `auth/invalid-state` if another tab, or another site, started it, and with
 * `auth/network-request-failed` if the server does not answer. Another call then tries again, also after the page was
 * loaded again. After a sign-in with a link in an email, which opens in another tab, it starts a sign-in in this tab; the
 * user need not type again.
 */
export async function finishHostedSignIn(auth: Auth): Promise<UserCredential | null> {
  const fragment = splitFragment(location.hash, PARAMETER);
  const { answer } = fragment;
  const started = findStarted(auth);
  if (answer === undefined) return started?.code === undefined ? null : finish(auth, started, started.code);
  showOwnFragment(fragment);
  if (answer.get(PARAMETER) === '') {
    await startHostedSignIn(auth, { redirectUrl: location.href });
    return null;
  }
  if (started === undefined || answer.get('state') !== started.state)
    throw new FirebaseError('auth/invalid-state', 'This page did not start the sign-in that returned to it.');
  return finish(auth, started, answer.get(PARAMETER) ?? '');
}

/** Exchanges the code of a sign-in. The tab keeps it until the server has answered. */
async function finish(auth: Auth, started: Started, code: string): Promise<UserCredential> {
  sessionStorage.setItem(storageKey(auth), JSON.stringify({ ...started, code } satisfies Started));
  const customToken = await takeCustomToken(auth, code, started.verifier).catch((error: unknown) => {
    if (!isNetworkFailure(error)) sessionStorage.removeItem(storageKey(auth));
    throw error;
  });
  sessionStorage.removeItem(storageKey(auth));
  return signInWithCustomToken(auth, customToken);
}

/**
 * Signs in on the sign-in page of the server in a popup. Call it in the handler of a click, because browsers block other
 * popups. Rejects with `auth/popup-blocked`, and with `auth/popup-closed-by-user`.
 */
export async function signInWithHostedPopup(
  auth: Auth,
  options: Pick<HostedOptions, 'screen'> = {},
): Promise<UserCredential> {
  // Opens immediately: after a wait, browsers no longer connect the popup with the click.
  const popup = open('about:blank', '_blank', 'popup,width=500,height=720');
  if (popup === null) throw new FirebaseError('auth/popup-blocked', 'The browser blocked the popup.');
  const started = { state: randomText(), verifier: randomText() };
  const redirectUrl = location.href.replace(/#.*$/s, '');
  popup.location.href = `${await pageAddress(auth, started, { ...options, redirectUrl })}&display=popup`;
  const code = await waitForCode(popup, originOf(auth), started.state);
  return signInWithCustomToken(auth, await takeCustomToken(auth, code, started.verifier));
}

const CLOSED_EVERY_MS = 500;

function waitForCode(popup: Window, origin: string, wanted: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const receive = (message: MessageEvent): void => {
      if (message.source !== popup || message.origin !== origin) return;
      const { type, code, state }: Readonly<Record<string, unknown>> = Object(message.data);
      if (type !== 'hearth-sign-in' || typeof code !== 'string' || state !== wanted) return;
      message.ports[0]?.postMessage('ACK');
      end();
      resolve(code);
    };
    const timer = setInterval(() => {
      if (!popup.closed) return;
      end();
      reject(new FirebaseError('auth/popup-closed-by-user', 'The user closed the popup.'));
    }, CLOSED_EVERY_MS);
    const end = (): void => {
      removeEventListener('message', receive);
      clearInterval(timer);
    };
    addEventListener('message', receive);
  });
}

async function takeCustomToken(auth: Auth, code: string, verifier: string): Promise<string> {
  const tenant = auth.tenantId === null ? {} : { tenantId: auth.tenantId };
  const { customToken } = await callAuthApi(auth, '/__/auth/redirect-result', { code, verifier, ...tenant });
  return String(customToken);
}

async function pageAddress(
  auth: Auth,
  { state, verifier }: Started,
  { screen, redirectUrl }: HostedOptions & { readonly redirectUrl: string },
): Promise<string> {
  const challenge = await challengeOf(verifier);
  return addressOf(auth, { redirectUrl, state, challenge, ...(screen === undefined ? {} : { screen }) });
}

function addressOf(auth: Auth, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ apiKey: auth.config.apiKey, ...parameters });
  if (auth.tenantId !== null) query.set('tid', auth.tenantId);
  if (auth.languageCode !== null) query.set('lang', auth.languageCode);
  return `${originOf(auth)}/__/auth/sign-in?${query}`;
}

function findStarted(auth: Auth): Started | undefined {
  const text = sessionStorage.getItem(storageKey(auth));
  return text === null ? undefined : (JSON.parse(text) as Started);
}

function storageKey({ config, name }: Auth): string {
  return `hearth:hosted:${config.apiKey}:${name}`;
}
