/** A JSON object. */
type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An account in the format of files and of the API. `auth:import` of the official command line reads the same
 * members.
 */
export type FileUser = JsonObject;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list. Returns none if the value is not a list. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/**
 * Converts an account from a file to the format of `accounts:batchCreate`. Omits authenticator apps, because
 * files do not contain their secrets.
 */
export function toRequest(user: FileUser): FileUser {
  const { lastSignedInAt, hashParametersId: _id, mfaInfo, ...rest } = user;
  return {
    ...rest,
    ...(lastSignedInAt === undefined ? {} : { lastLoginAt: lastSignedInAt }),
    ...(Array.isArray(mfaInfo) ? { mfaInfo: mfaInfo.filter((factor) => !isAppFactor(factor)) } : {}),
  };
}

/** Returns the number of authenticator apps of an account, which `toRequest` omits. */
export function countAppFactors({ mfaInfo }: FileUser): number {
  return Array.isArray(mfaInfo) ? mfaInfo.filter(isAppFactor).length : 0;
}

function isAppFactor(factor: unknown): boolean {
  return isObject(factor) && factor['totpInfo'] !== undefined;
}

const COPIED_FIELDS = [
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
const IDENTITY_FIELDS = ['providerId', 'rawId', 'email', 'displayName', 'photoUrl'] as const;

/**
 * Converts an account from a response of `accounts:batchGet` to the format of files. Bytes are in standard
 * base64.
 */
export function toFile(user: FileUser): FileUser {
  const { lastLoginAt, passwordHash, salt, providerUserInfo, mfaInfo } = user;
  const identities = objectsOf(providerUserInfo).filter(isIdentity);
  // Without their public keys, passkeys cannot be imported.
  const hasPasskeys = objectsOf(user['passkeyInfo']).some(({ publicKey }) => publicKey !== undefined);
  return {
    ...pick(user, COPIED_FIELDS),
    ...(lastLoginAt === undefined ? {} : { lastSignedInAt: lastLoginAt }),
    ...(typeof passwordHash === 'string' && user['hashParametersId'] !== undefined
      ? { passwordHash: standardBase64(passwordHash), salt: standardBase64(String(salt ?? '')) }
      : {}),
    ...(identities.length === 0
      ? {}
      : { providerUserInfo: identities.map((identity) => pick(identity, IDENTITY_FIELDS)) }),
    ...(Array.isArray(mfaInfo) && mfaInfo.length > 0 ? { mfaInfo } : {}),
    ...(hasPasskeys ? pick(user, ['passkeyInfo', 'passkeyUserHandle']) : {}),
  };
}

/**
 * Returns whether an entry of `providerUserInfo` is an identity. Passwords and phone numbers have entries
 * too.
 */
function isIdentity({ providerId }: FileUser): boolean {
  return providerId !== 'password' && providerId !== 'phone';
}

function pick(json: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]]])));
}

/** Converts base64 in either alphabet to the standard one, with its padding. */
function standardBase64(text: string): string {
  const bare = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}
