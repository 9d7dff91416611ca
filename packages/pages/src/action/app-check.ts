import { createCaptchaToken } from '@hearth/client/captcha-token';
import { call, findText, isRecord } from './api.ts';

/** The app of these pages. The server accepts its tokens only from pages of its own origin, and only for accounts. */
const PAGES_APP = '.pages';
/** A token is no longer used this long before it expires, in ms. */
const RESERVE_MS = 60_000;

interface Stored {
  readonly token: string;
  readonly untilMs: number;
  /** Whether a method that accepts each token once has got it. Other methods still accept it. */
  isSpent: boolean;
}

let asked: Promise<Stored | undefined> | undefined;

/**
 * Returns an App Check token of the page; undefined if the server gives none. Each new one costs the browser a few seconds
 * of work. Requests share it for an hour. `isLimited` is whether the method accepts each token once.
 */
export async function readAppCheckToken(apiKey: string, isLimited: boolean): Promise<string | undefined> {
  asked ??= Promise.resolve(findStored(apiKey));
  for (;;) {
    const known: typeof asked = asked;
    const stored: Stored | undefined = await known;
    if (stored !== undefined && stored.untilMs > Date.now() && !(isLimited && stored.isSpent)) {
      if (isLimited) spend(apiKey, stored);
      return stored.token;
    }
    // Only the first of the waiting callers requests a new token.
    if (asked === known) asked = request(apiKey);
    if ((await asked) === undefined) return undefined;
  }
}

function spend(apiKey: string, stored: Stored): void {
  stored.isSpent = true;
  store(apiKey, stored);
}

/** Forgets the token, which the server does not accept. */
export function forgetAppCheckToken(apiKey: string): void {
  asked = undefined;
  store(apiKey, undefined);
}

async function request(apiKey: string): Promise<Stored | undefined> {
  const requestedAtMs = Date.now();
  try {
    const proof = { server: location.origin, apiKey, action: 'appCheck' };
    const body = { apiKey, appId: PAGES_APP, token: await createCaptchaToken(proof) };
    const outcome = await call(fetch, { path: '/__/app-check/exchange', apiKey, body });
    if (outcome.kind !== 'answered') return undefined;
    const token = findText(outcome.json, 'token');
    const lifetimeMs = Number.parseInt(findText(outcome.json, 'ttl') ?? '', 10) * 1_000;
    const untilMs = requestedAtMs + lifetimeMs - RESERVE_MS;
    if (token === undefined || !(untilMs > Date.now())) return undefined;
    const stored = { token, untilMs, isSpent: false };
    store(apiKey, stored);
    return stored;
  } catch {
    // The browser cannot solve the challenge. The server then rejects the requests of the page.
    return undefined;
  }
}

function keyOf(apiKey: string): string {
  return `hearth:app-check:${apiKey}`;
}

function findStored(apiKey: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(apiKey)) ?? 'null');
    if (!isRecord(value)) return undefined;
    const [token, untilMs] = [findText(value, 'token'), value['untilMs']];
    return token === undefined || typeof untilMs !== 'number'
      ? undefined
      : { token, untilMs, isSpent: value['isSpent'] === true };
  } catch {
    // A browser that blocks storage throws. Each visit then needs a new token.
    return undefined;
  }
}

function store(apiKey: string, stored: Stored | undefined): void {
  try {
    if (stored === undefined) sessionStorage.removeItem(keyOf(apiKey));
    else sessionStorage.setItem(keyOf(apiKey), JSON.stringify(stored));
  } catch {
    // A browser that blocks storage throws. The next visit then needs a new token.
  }
}
