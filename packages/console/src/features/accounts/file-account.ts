import type { Account } from '../../server/accounts.ts';
import type { FileAccount } from '../../server/accounts-files.ts';

const COPIED = [
  'localId',
  'email',
  'emailVerified',
  'displayName',
  'photoUrl',
  'createdAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
  'hashParametersId',
] as const;

/** An account as the server lists it in the form that files of `firebase auth:export` have: bytes in standard base64. */
export function toFile(account: Account & FileAccount): FileAccount {
  const { lastLoginAt, providerUserInfo = [], mfaInfo = [], passwordHash, salt, hashParametersId } = account;
  // Passwords and phone numbers are members of the account, too.
  const identities = providerUserInfo.filter(
    ({ providerId }) => providerId !== 'password' && providerId !== 'phone',
  );
  return {
    ...Object.fromEntries(
      COPIED.flatMap((name) => (account[name] === undefined ? [] : [[name, account[name]]])),
    ),
    ...(lastLoginAt === undefined ? {} : { lastSignedInAt: lastLoginAt }),
    // Without parameters, what is there only says that there is a password.
    ...(hashParametersId === undefined || passwordHash === undefined
      ? {}
      : {
          passwordHash: standardBase64(passwordHash),
          salt: standardBase64(typeof salt === 'string' ? salt : ''),
        }),
    ...(identities.length === 0 ? {} : { providerUserInfo: identities }),
    ...(mfaInfo.length === 0 ? {} : { mfaInfo }),
  };
}

/** An account of a file as an import takes it. Apps for codes are left out: their secrets are in no file. */
export function toRequest(account: FileAccount): FileAccount {
  const { lastSignedInAt, hashParametersId: _id, mfaInfo, ...rest } = account;
  return {
    ...rest,
    ...(lastSignedInAt === undefined ? {} : { lastLoginAt: lastSignedInAt }),
    ...(Array.isArray(mfaInfo) ? { mfaInfo: mfaInfo.filter((factor) => !isApp(factor)) } : {}),
  };
}

function isApp(factor: unknown): boolean {
  return typeof factor === 'object' && factor !== null && 'totpInfo' in factor;
}

function standardBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/');
}
