import { OneTimeEntries, type OneTimeEntriesOptions } from '../flows/one-time-entries.ts';

/** A sign-in on a hosted page that an app may take over. */
export interface SignInCode {
  readonly projectId: string;
  /** The name of the accounts of the project or the tenant. */
  readonly scope: string;
  readonly apiKey: string;
  /** The origin of the page to which the code is sent. */
  readonly appOrigin: string;
  /** The SHA-256 of a secret of the app, as base64url. */
  readonly challenge: string;
  readonly uid: string;
  /** The session of the hosted pages. */
  readonly sessionId: string;
}

/** How long a code is valid, in ms. */
const CODE_MS = 300_000;
/**
 * Maximum number of unused codes, of those of one project, of one network and of one account. The oldest are dropped.
 */
const MAX_CODES = 10_000;
const MAX_CODES_OF_PROJECT = 5_000;
const MAX_CODES_OF_NETWORK = 1_000;
const MAX_CODES_OF_ACCOUNT = 10;

/**
 * The codes that hosted pages have sent to apps and that no app has used yet, in memory, by the hash of the code. After a
 * restart, the user continues again on the hosted page, without typing.
 */
export class SignInCodes {
  readonly #codes: OneTimeEntries<SignInCode>;

  constructor(options: Pick<OneTimeEntriesOptions, 'clock' | 'randomBytes'>) {
    const ofOthers = { ofNetwork: MAX_CODES_OF_NETWORK, ofIdentity: MAX_CODES_OF_ACCOUNT };
    this.#codes = new OneTimeEntries({
      ...options,
      lifetimeMs: CODE_MS,
      all: { total: MAX_CODES, ...ofOthers },
      ofProject: { total: MAX_CODES_OF_PROJECT, ...ofOthers },
    });
  }

  /** Stores a sign-in and returns its code; `undefined` as in `OneTimeEntries`. */
  add(value: SignInCode, network: string): string | undefined {
    const { projectId, scope, uid } = value;
    return this.#codes.add(value, { projectId, network, identity: JSON.stringify([scope, uid]) });
  }

  /** Returns the sign-in of a code and removes it, so that a second use fails. */
  take(code: string): SignInCode | undefined {
    return this.#codes.take(code);
  }
}
