import { clearTimeout, setTimeout } from 'node:timers';
import { findExpiryMs, type Identity } from '../identity/identity.ts';

/** The longest that a timer of the platform waits. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Calls when the credential of somebody runs out. */
export class CredentialTimer {
  readonly #nowMs: () => number;
  readonly #onExpired: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number, onExpired: () => void) {
    this.#nowMs = nowMs;
    this.#onExpired = onExpired;
  }

  /** Watches over the credential of this identity instead of any former one; over none if it does not run out. */
  watch(identity: Identity): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const expiresAtMs = findExpiryMs(identity);
    if (expiresAtMs === null) return;
    const waitMs = expiresAtMs - this.#nowMs();
    this.#timer = setTimeout(
      () => (waitMs > MAX_WAIT_MS ? this.watch(identity) : this.#onExpired()),
      Math.min(Math.max(waitMs, 0), MAX_WAIT_MS),
    );
    this.#timer.unref();
  }
}
