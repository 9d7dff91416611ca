import type { IdentityCall } from './identity-call.ts';

/** Slows down who guesses, and who makes accounts by the thousand. */
export interface Throttle {
  /** Refuses with `TOO_MANY_ATTEMPTS_TRY_LATER` an address that has made too many accounts, and counts this one. */
  mustAllowSignUp(call: IdentityCall): void;
  /** Refuses with the same an account or an address for which too many passwords were wrong. */
  mustAllowPassword(call: IdentityCall, email: string): void;
  /** Tells what came of a password. */
  notePassword(call: IdentityCall, email: string, isRight: boolean): void;
}
