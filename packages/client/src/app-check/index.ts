import type { FirebaseApp } from 'firebase/app';
import { type AppCheckToken, CustomProvider } from 'firebase/app-check';
import { parseHearthAddress } from '../address.ts';
import { createCaptchaToken } from '../captcha/solve.ts';
import { withTimeLimit } from '../time-limit.ts';

/** How an app proves itself to the server. */
export interface HearthAppCheckOptions {
  /** A debug token of the app, for tests. Without one, the browser solves a challenge. */
  readonly debugToken?: string;
}

interface Target {
  readonly server: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly appId: string;
  readonly debugToken: string | undefined;
}

/**
 * Returns a provider for `initializeAppCheck` that gets App Check tokens from the Hearth server at `url`. Throws if the app has
 * no `appId`, `apiKey` or `projectId`. A token is an hour old at most, and costs the browser a few seconds of work in the
 * background.
 */
export function hearthAppCheck(
  app: FirebaseApp,
  url: string,
  { debugToken }: HearthAppCheckOptions = {},
): CustomProvider {
  const { apiKey, projectId, appId } = app.options;
  if (apiKey === undefined || projectId === undefined || appId === undefined)
    throw new TypeError('App Check needs an app with apiKey, projectId and appId.');
  const server = parseHearthAddress(url).origin;
  return new HearthAppCheck({ server, apiKey, projectId, appId, debugToken });
}

class HearthAppCheck extends CustomProvider {
  readonly #target: Target;

  constructor(target: Target) {
    super({ getToken: () => requestToken(target, false) });
    this.#target = target;
  }

  /**
   * Called by the SDK. With `isLimitedUse`, the token is for a single request; the SDK's own `CustomProvider` does not pass
   * this on.
   */
  async getToken(isLimitedUse = false): Promise<AppCheckToken & { readonly issuedAtTimeMillis: number }> {
    const issuedAtTimeMillis = Date.now();
    return { ...(await requestToken(this.#target, isLimitedUse)), issuedAtTimeMillis };
  }

  /** Called by the SDK, to find out whether a second `initializeAppCheck` asks for the same. */
  isEqual(other: unknown): boolean {
    return other instanceof HearthAppCheck && JSON.stringify(other.#target) === JSON.stringify(this.#target);
  }
}

async function requestToken(
  { server, apiKey, projectId, appId, debugToken }: Target,
  limitedUse: boolean,
): Promise<AppCheckToken> {
  const requestedAtMs = Date.now();
  const { token, ttl } =
    debugToken === undefined
      ? await post(`${server}/__/app-check/exchange`, {
          apiKey,
          appId,
          limitedUse,
          token: await createCaptchaToken({ server, apiKey, action: 'appCheck' }),
        })
      : await post(
          `${server}/v1/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(appId)}:exchangeDebugToken?key=${encodeURIComponent(apiKey)}`,
          { debug_token: debugToken, limited_use: limitedUse },
        );
  const lifetimeSec = Number.parseInt(String(ttl), 10);
  if (typeof token !== 'string' || !(lifetimeSec > 0)) throw new Error('The server gave no App Check token.');
  return { token, expireTimeMillis: requestedAtMs + lifetimeSec * 1_000 };
}

async function post(url: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const { isOk, status, json } = await withTimeLimit(async (signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const json: Readonly<Record<string, unknown>> = Object(await response.json().catch(() => undefined));
    return { isOk: response.ok, status: response.status, json };
  });
  if (isOk) return json;
  const { message }: { readonly message?: unknown } = Object(json['error']);
  throw new Error(`The server gave no App Check token: ${String(message ?? status)}`);
}
