import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of what is no list. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** JSON text. Whole numbers beyond what a double holds are text in it, as the interface of accounts takes them. */
export function printJson(json: JsonObject): string {
  return JSON.stringify(json, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

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

/** Longest JSON text of one account, in UTF-16 units. */
const MAX_USER_LENGTH = 1_048_576;

/**
 * The accounts of a file `{ "users": [ … ] }`, one after the other, whatever its size. Throws a `CommandFailure` that says
 * which account is wrong.
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
    throw new CommandFailure(`The file ends before its JSON does, after ${count} accounts.`);
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

/** Hash parameters as members of the request that imports accounts, by the `hashParametersId` of the accounts. */
export type HashParameterSets = Readonly<Record<string, JsonObject>>;

/** Reads what `hearth users export` has written beside the accounts. Throws a `StartFailure`. */
export function readHashParametersFile(file: string): HashParameterSets {
  const json = readJson(file);
  if (!isJsonObject(json)) throw wrong(file);
  return Object.fromEntries(
    Object.entries(json).map(([id, parameters]) => {
      if (!isJsonObject(parameters)) throw wrong(file);
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

function wrong(file: string): StartFailure {
  return new StartFailure(
    `${file} must contain hash parameters by name, as hearth users export writes them.`,
  );
}
