import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';

/** Returns the objects in a list. Returns none if the value is not a list. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/**
 * Formats JSON text. A `bigint` (a whole number that does not fit a double) becomes a string; the accounts API accepts
 * both.
 */
export function printJson(json: JsonObject): string {
  return JSON.stringify(json, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/**
 * An account in the format of files and of the API. `auth:import` of the official command line reads the same
 * members.
 */
export type FileUser = JsonObject;

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
  return isJsonObject(factor) && factor['totpInfo'] !== undefined;
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

function standardBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}

/** Longest JSON text of one account, in UTF-16 code units. */
const MAX_USER_LENGTH = 1_048_576;

/**
 * Yields the accounts of a file `{ "users": [ … ] }` one by one. The file may have any size. Throws a
 * `CommandFailure` for an invalid file; it names the position of an invalid account.
 */
export async function* readJsonUsers(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileUser> {
  const decoder = new StringDecoder('utf8');
  const splitter = new JsonListSplitter({ list: 'users', maxLength: MAX_USER_LENGTH });
  let count = 0;
  for await (const chunk of chunks)
    for (const text of split(splitter, decoder.write(chunk))) {
      count += 1;
      yield parseUser(text, count);
    }
  if (!splitter.isComplete)
    throw new CommandFailure(`The file ends before its JSON is complete, after ${count} accounts.`);
}

function* split(splitter: JsonListSplitter, text: string): Generator<string> {
  try {
    yield* splitter.push(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CommandFailure(cause.message, cause);
  }
}

function parseUser(text: string, count: number): FileUser {
  try {
    const user = parseJsonText(text);
    if (isJsonObject(user)) return user;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new CommandFailure(`Account ${count} of the file is not JSON: ${cause.message}`, cause);
  }
  throw new CommandFailure(`Account ${count} of the file is not an object.`);
}

/**
 * Hash parameters by the `hashParametersId` of the accounts. Each value has the members of the request that
 * imports accounts.
 */
export type HashParameterSets = Readonly<Record<string, JsonObject>>;

/**
 * Reads the file of hash parameters that `hearth users export` writes in addition to the accounts. Throws a
 * `StartFailure`.
 */
export function readHashParametersFile(file: string): HashParameterSets {
  const json = readJson(file);
  if (!isJsonObject(json)) throw invalidHashParameters(file);
  return Object.fromEntries(
    Object.entries(json).map(([id, parameters]) => {
      if (!isJsonObject(parameters)) throw invalidHashParameters(file);
      return [id, parameters];
    }),
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new StartFailure(
      `The hash parameters in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}

function invalidHashParameters(file: string): StartFailure {
  return new StartFailure(
    `${file} must contain hash parameters by name, as hearth users export writes them.`,
  );
}
