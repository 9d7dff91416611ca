import { createCaptchaToken } from '@hearth/client/captcha-token';
import { call, findText, isRecord } from './api.ts';

/** The app of these pages. The server accepts its tokens only from pages of its own origin, and only for accounts. */
const PAGES_APP = '.pages';
/** A token is no longer used this long before it expires, in ms. */
const RESERVE_MS = 60_000;

interface Stored {
  readonly token: string;
  readonly untilMs: number;
}

let asked: Promise<Stored | undefined> | undefined;

/**
 * Returns an App Check token of the page; undefined if the server gives none. The first one of an hour costs the browser a
 * few seconds of work. Requests at the same time share it.
 */
export async function readAppCheckToken(apiKey: string): Promise<string | undefined> {
  asked ??= Promise.resolve(findStored(apiKey));
  const known = asked;
  const stored = await known;
  if (stored !== undefined && stored.untilMs > Date.now()) return stored.token;
  // Only the first of the waiting callers requests a new token.
  if (asked === known) asked = request(apiKey);
  return (await asked)?.token;
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
    if (token === undefined || !(lifetimeMs > 0)) return undefined;
    const stored = { token, untilMs: requestedAtMs + lifetimeMs - RESERVE_MS };
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
    return token === undefined || typeof untilMs !== 'number' ? undefined : { token, untilMs };
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
