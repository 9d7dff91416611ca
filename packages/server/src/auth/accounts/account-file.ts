import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { FileUser } from '@hearth/core/api/account-file.ts';
import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';

/**
 * Formats JSON text. A `bigint` (a whole number that does not fit a double) becomes a string; the accounts API accepts
 * both.
 */
export function printJson(json: JsonObject): string {
  return JSON.stringify(json, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
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
