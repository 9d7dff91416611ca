import { isJsonObject, type JsonObject, objectsOf } from './json-object.ts';

/** An account as files and the interface have it: `auth:import` of the official command line knows the same members. */
export type FileUser = JsonObject;

/** The account as `accounts:batchCreate` takes it. Apps for codes are left out: their secrets are in no file. */
export function toRequest(user: FileUser): FileUser {
  const { lastSignedInAt, hashParametersId: _id, mfaInfo, ...rest } = user;
  return {
    ...rest,
    ...(lastSignedInAt === undefined ? {} : { lastLoginAt: lastSignedInAt }),
    ...(Array.isArray(mfaInfo) ? { mfaInfo: mfaInfo.filter((factor) => !isAppFactor(factor)) } : {}),
  };
}

/** How many apps for codes an account has, which `toRequest` leaves out. */
export function countAppFactors({ mfaInfo }: FileUser): number {
  return Array.isArray(mfaInfo) ? mfaInfo.filter(isAppFactor).length : 0;
}

function isAppFactor(factor: unknown): boolean {
  return isJsonObject(factor) && factor['totpInfo'] !== undefined;
}

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
const OF_IDENTITY = ['providerId', 'rawId', 'email', 'displayName', 'photoUrl'] as const;

/** The account of an answer of `accounts:batchGet` as files have it: bytes in standard base64. */
export function toFile(user: FileUser): FileUser {
  const { lastLoginAt, passwordHash, salt, providerUserInfo, mfaInfo } = user;
  const identities = objectsOf(providerUserInfo).filter(isIdentity);
  return {
    ...pick(user, COPIED),
    ...(lastLoginAt === undefined ? {} : { lastSignedInAt: lastLoginAt }),
    ...(typeof passwordHash === 'string' && user['hashParametersId'] !== undefined
      ? { passwordHash: standardBase64(passwordHash), salt: standardBase64(String(salt ?? '')) }
      : {}),
    ...(identities.length === 0
      ? {}
      : { providerUserInfo: identities.map((identity) => pick(identity, OF_IDENTITY)) }),
    ...(Array.isArray(mfaInfo) && mfaInfo.length > 0 ? { mfaInfo } : {}),
  };
}

/** Passwords and phone numbers are members of the account, too. */
function isIdentity({ providerId }: FileUser): boolean {
  return providerId !== 'password' && providerId !== 'phone';
}

function pick(json: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]]])));
}

function standardBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}
