import type { OfferedProvider } from '../parameters.ts';
import type { Factor } from '../server.ts';
import type { OwnIdentity, OwnPasskey, OwnSession } from './account.ts';

/** A task of the account page. Each task has a screen of its own. */
export type Task =
  | { readonly kind: 'name' | 'email' | 'password' | 'totp' | 'phone' | 'recoveryCodes' | 'passkey' }
  | { readonly kind: 'endAll' | 'export' | 'delete' }
  | { readonly kind: 'link'; readonly provider: OfferedProvider }
  | { readonly kind: 'removeFactor'; readonly factor: Factor }
  | { readonly kind: 'removePasskey'; readonly passkey: OwnPasskey }
  | { readonly kind: 'unlink'; readonly identity: OwnIdentity }
  | { readonly kind: 'endSession'; readonly session: OwnSession };

/** Returns whether the server accepts the task only soon after a sign-in. */
export function needsRecentSignIn({ kind }: Task): boolean {
  return kind !== 'name';
}
