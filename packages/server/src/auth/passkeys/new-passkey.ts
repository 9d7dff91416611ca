import type { Account } from '../accounts/account.ts';
import { parseDisplayName } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { authenticatorName } from './authenticator-names.ts';
import type { NewCredential } from './authenticator-response.ts';
import { MAX_PASSKEY_NAME_LENGTH, type Passkey } from './passkey.ts';

/** Returns the name of a new passkey: that of the request, or else that of the authenticator. */
export function parsePasskeyName(fields: Fields, aaguid: string): string {
  const name = parseDisplayName(fields.text('name') ?? '');
  if (name !== null && name.length > MAX_PASSKEY_NAME_LENGTH)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `The name of a passkey has at most ${MAX_PASSKEY_NAME_LENGTH} characters.`,
    );
  return name ?? authenticatorName(aaguid);
}

/**
 * Returns an account with a new passkey. `handle` is the user handle that its authenticator has stored. Throws
 * `CREDENTIAL_ALREADY_IN_USE` if the account has the passkey already.
 */
export function withPasskey(
  account: Account,
  { aaguid: _aaguid, isUserVerified: _isUserVerified, ...credential }: NewCredential,
  { name, handle, nowMs }: { readonly name: string; readonly handle: string; readonly nowMs: number },
): Account {
  if (account.passkeys.some(({ credentialId }) => credentialId === credential.credentialId))
    throw new AuthApiError('CREDENTIAL_ALREADY_IN_USE');
  const passkey: Passkey = {
    ...credential,
    name,
    wasAddedVerified: account.isEmailVerified,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  };
  return { ...account, passkeyHandle: handle, passkeys: [...account.passkeys, passkey] };
}
