import type { RecordView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { findAccountByEmail, findAccountByIdentity } from '../accounts/account-store.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { ProviderAssertion } from './assertion.ts';

/** The account that an assertion selects at a sign-in. */
export type Resolution =
  /** The account that has the identity. */
  | { readonly kind: 'known'; readonly account: Account }
  /** The account that has the address, which the assertion proves. */
  | { readonly kind: 'proven-address'; readonly account: Account }
  /** The account that has the address, which the assertion does not prove: its user must sign in another way first. */
  | { readonly kind: 'unproven-address'; readonly account: Account }
  | { readonly kind: 'none' };

/**
 * Returns an assertion with the id under which an account has the identity; the assertion itself if no account has it.
 */
export function withKnownId(records: RecordView, assertion: ProviderAssertion): ProviderAssertion {
  const { providerId, rawId, otherRawIds } = assertion;
  const known = [rawId, ...otherRawIds].find(
    (id) => findAccountByIdentity(records, providerId, id) !== undefined,
  );
  return known === undefined || known === rawId ? assertion : { ...assertion, rawId: known };
}

/** Returns the account of a sign-in. `isEmailProven` is whether the project accepts the assertion as proof of the address. */
export function resolveAccount(
  records: RecordView,
  assertion: ProviderAssertion,
  isEmailProven: boolean,
  { signIn }: ProjectSettings,
): Resolution {
  const { providerId, rawId, email } = withKnownId(records, assertion);
  const known = findAccountByIdentity(records, providerId, rawId);
  if (known !== undefined) return { kind: 'known', account: known };
  const account =
    email === null || signIn.areDuplicateEmailsAllowed ? undefined : findAccountByEmail(records, email);
  if (account === undefined) return { kind: 'none' };
  return { kind: isEmailProven ? 'proven-address' : 'unproven-address', account };
}
