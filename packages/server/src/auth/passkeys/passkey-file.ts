import type { Account } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { authenticatorName } from './authenticator-names.ts';
import {
  MAX_CREDENTIAL_ID_BYTES,
  MAX_HANDLE_BYTES,
  MAX_PASSKEY_NAME_LENGTH,
  MAX_PASSKEYS,
  MAX_PUBLIC_KEY_BYTES,
  MAX_TRANSPORTS,
  type Passkey,
  passkeyJson,
} from './passkey.ts';

/** Returns the passkeys of an account in the form in which they can be imported; no members for an account without any. */
export function exportPasskeys({ passkeys, passkeyHandle }: Account): JsonObject {
  if (passkeys.length === 0) return {};
  return {
    passkeyInfo: passkeys.map((passkey) => ({
      ...passkeyJson(passkey),
      publicKey: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      backupEligible: passkey.isBackupEligible,
    })),
    ...(passkeyHandle === null ? {} : { passkeyUserHandle: passkeyHandle }),
  };
}

/**
 * Reads the passkeys of an account of an import. If the file has no user handle, the first sign-in stores the handle
 * that the authenticator returns. The passkeys work only if the project has the RP ID for which they were created.
 * Throws an `AuthApiError`.
 */
export function importPasskeys(
  fields: Fields,
  isEmailVerified: boolean,
  nowMs: number,
): Pick<Account, 'passkeys' | 'passkeyHandle'> {
  const passkeys = (fields.objects('passkeyInfo') ?? []).map((info) =>
    importPasskey(info, isEmailVerified, nowMs),
  );
  if (passkeys.length > MAX_PASSKEYS)
    throw new AuthApiError('PASSKEY_LIMIT_EXCEEDED', `An account has at most ${MAX_PASSKEYS} passkeys.`);
  if (new Set(passkeys.map(({ credentialId }) => credentialId)).size < passkeys.length)
    throw new AuthApiError('CREDENTIAL_ALREADY_IN_USE');
  const handle = fields.filled('passkeyUserHandle');
  return {
    passkeys,
    passkeyHandle: handle === undefined ? null : requireBytes(handle, 'passkeyUserHandle', MAX_HANDLE_BYTES),
  };
}

function importPasskey(info: Fields, isEmailVerified: boolean, nowMs: number): Passkey {
  const isBackedUp = info.flag('backedUp') ?? false;
  const counter = info.whole('counter') ?? 0;
  const name = (info.filled('name') ?? authenticatorName('')).toWellFormed();
  if (counter < 0 || counter > 0xffff_ffff) throw invalid('counter must be from 0 to 4294967295.');
  if (name.length > MAX_PASSKEY_NAME_LENGTH)
    throw invalid(`name must have at most ${MAX_PASSKEY_NAME_LENGTH} characters.`);
  const transports = (info.texts('transports') ?? []).filter((transport) => /^[a-z-]{1,20}$/.test(transport));
  return {
    credentialId: requireBytes(info.text('credentialId') ?? '', 'credentialId', MAX_CREDENTIAL_ID_BYTES),
    publicKey: requireBytes(info.text('publicKey') ?? '', 'publicKey', MAX_PUBLIC_KEY_BYTES),
    counter,
    transports: [...new Set(transports)].slice(0, MAX_TRANSPORTS),
    isBackupEligible: info.flag('backupEligible') ?? isBackedUp,
    isBackedUp,
    name,
    wasAddedVerified: isEmailVerified,
    createdAtMs: timeOf(info.filled('createdAt')) ?? nowMs,
    lastUsedAtMs: timeOf(info.filled('lastUsedAt')) ?? null,
  };
}

function timeOf(text: string | undefined): number | undefined {
  const timeMs = text === undefined ? undefined : Date.parse(text);
  if (timeMs !== undefined && Number.isNaN(timeMs)) throw invalid('createdAt and lastUsedAt must be times.');
  return timeMs;
}

function requireBytes(text: string, name: string, maxBytes: number): string {
  const bytes = Buffer.from(/^[\w+/-]*={0,2}$/.test(text) ? text : '', 'base64url');
  if (bytes.length === 0 || bytes.length > maxBytes)
    throw invalid(`${name} must be 1 to ${maxBytes} bytes in base64url.`);
  return bytes.toString('base64url');
}

function invalid(detail: string): AuthApiError {
  return new AuthApiError('INVALID_ARGUMENT', `passkeyInfo: ${detail}`);
}
