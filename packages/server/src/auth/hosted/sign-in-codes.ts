import type { Clock } from '../../platform/clock.ts';
import { hashOf } from '../flows/flow-store.ts';

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

interface Entry {
  readonly value: SignInCode;
  readonly untilMs: number;
}

/** How long a code is valid, in ms. */
const CODE_MS = 300_000;
/** Maximum number of unused codes, and of those of one account. The oldest is dropped. */
const MAX_CODES = 10_000;
const MAX_CODES_OF_ACCOUNT = 10;
const CODE_BYTES = 32;

export interface SignInCodesOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * The codes that hosted pages have sent to apps and that no app has used yet, in memory, by the hash of the code. After a
 * restart, the user continues again on the hosted page, without typing.
 */
export class SignInCodes {
  readonly #options: SignInCodesOptions;
  /** In the order in which they expire. */
  readonly #codes = new Map<string, Entry>();
  /** The hashes of the codes of each account, the oldest first. */
  readonly #ofAccount = new Map<string, Set<string>>();

  constructor(options: SignInCodesOptions) {
    this.#options = options;
  }

  /** Stores a sign-in and returns its code. */
  add(value: SignInCode): string {
    this.#removeExpired();
    const code = Buffer.from(this.#options.randomBytes(CODE_BYTES)).toString('base64url');
    const account = accountOf(value);
    const own = this.#ofAccount.get(account) ?? new Set();
    if (own.size >= MAX_CODES_OF_ACCOUNT) this.#remove(own.values().next().value);
    if (this.#codes.size >= MAX_CODES) this.#remove(this.#codes.keys().next().value);
    const hash = hashOf(code);
    this.#codes.set(hash, { value, untilMs: this.#options.clock.elapsedMs() + CODE_MS });
    this.#ofAccount.set(account, own.add(hash));
    return code;
  }

  /** Returns the sign-in of a code and removes it, so that a second use fails. */
  take(code: string): SignInCode | undefined {
    this.#removeExpired();
    const hash = hashOf(code);
    const found = this.#codes.get(hash)?.value;
    this.#remove(hash);
    return found;
  }

  #removeExpired(): void {
    const nowMs = this.#options.clock.elapsedMs();
    for (const [hash, { untilMs }] of this.#codes) {
      if (untilMs > nowMs) break;
      this.#remove(hash);
    }
  }

  #remove(hash: string | undefined): void {
    const entry = hash === undefined ? undefined : this.#codes.get(hash);
    if (hash === undefined || entry === undefined) return;
    this.#codes.delete(hash);
    const account = accountOf(entry.value);
    const own = this.#ofAccount.get(account);
    own?.delete(hash);
    if (own?.size === 0) this.#ofAccount.delete(account);
  }
}

function accountOf({ scope, uid }: SignInCode): string {
  return JSON.stringify([scope, uid]);
}
