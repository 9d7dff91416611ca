import type { JsonObject } from '../fields.ts';
import { OneTimeEntries, type OneTimeEntriesOptions } from './one-time-entries.ts';

/** The event of a redirect that the app has not taken yet. */
export interface RedirectCode {
  readonly projectId: string;
  readonly apiKey: string;
  /** The origin of the page to which the code is sent. */
  readonly appOrigin: string;
  /** The SHA-256 of a secret of the tab in which the redirect began, as base64url. */
  readonly challenge: string;
  /** The result of the sign-in in the format of the SDK. */
  readonly event: JsonObject;
}

/** How long a code is valid, in ms. */
const CODE_MS = 300_000;
/** Maximum number of unused codes, of those of one project, and of those of one network. The oldest are dropped. */
const MAX_CODES = 1_000;
const MAX_CODES_OF_PROJECT = 500;
const MAX_CODES_OF_NETWORK = 50;

/** The events that redirects take back to apps, in memory, by the hash of a code. Each is taken once. */
export class RedirectCodes {
  readonly #codes: OneTimeEntries<RedirectCode>;

  constructor(options: Pick<OneTimeEntriesOptions, 'clock' | 'randomBytes'>) {
    this.#codes = new OneTimeEntries({
      ...options,
      lifetimeMs: CODE_MS,
      all: { total: MAX_CODES, ofNetwork: MAX_CODES_OF_NETWORK },
      ofProject: { total: MAX_CODES_OF_PROJECT, ofNetwork: MAX_CODES_OF_NETWORK },
    });
  }

  /** Stores an event and returns its code; `undefined` as in `OneTimeEntries`. */
  add(value: RedirectCode, network: string): string | undefined {
    return this.#codes.add(value, { projectId: value.projectId, network });
  }

  /** Returns the event of a code and removes it, so that a second use fails. */
  take(code: string): RedirectCode | undefined {
    return this.#codes.take(code);
  }
}

/**
 * Returns the address at which a page of an app gets a code, in the fragment after that of the app. The challenge tells the
 * app which of its redirects has returned.
 */
export function returnAddress(redirectUrl: string, code: string, challenge: string): string {
  const url = new URL(redirectUrl);
  const own = url.hash.slice(1);
  url.hash = `${own === '' ? '' : `${own}&`}__fbauth=${code}&challenge=${challenge}`;
  return url.href;
}
