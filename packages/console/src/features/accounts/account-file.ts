import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { JsonObject } from '../../api/account-files.ts';

/** Maximum length of the JSON text of one account, in UTF-16 code units. */
const MAX_ACCOUNT_LENGTH = 1_048_576;

/** The content of a file other than its accounts. */
export interface FileHead {
  /** Parameters of password hashes, by the `hashParametersId` of accounts. */
  readonly hashParameters: Readonly<Record<string, JsonObject>>;
}

/**
 * Yields the accounts of a file `{"users": […], "hashParameters": {…}}` of any size one by one, and returns its hash
 * parameters. Calls `onProgress` with the number of bytes read so far. Throws a `SyntaxError` if the file is incomplete or
 * has another shape, or if an account is invalid.
 */
export async function* readAccounts(
  file: Blob,
  onProgress: (bytes: number) => void,
): AsyncGenerator<JsonObject, FileHead, undefined> {
  const splitter = new JsonListSplitter({ list: 'users', maxLength: MAX_ACCOUNT_LENGTH });
  const decoder = new TextDecoder();
  let count = 0;
  let bytes = 0;
  for await (const chunk of file.stream()) {
    bytes += chunk.byteLength;
    for (const text of splitter.push(decoder.decode(chunk, { stream: true }))) {
      count += 1;
      yield parseAccount(text, count);
    }
    onProgress(bytes);
  }
  if (!splitter.isComplete)
    throw new SyntaxError(`The JSON file is incomplete. It ends after ${count} accounts.`);
  return parseHead(splitter.others);
}

function parseAccount(text: string, count: number): JsonObject {
  try {
    return asObject(parseJsonText(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SyntaxError(`Account ${count} in the file is not a valid JSON object: ${cause.message}`, {
      cause,
    });
  }
}

function parseHead(text: string): FileHead {
  const { hashParameters = {} } = asObject(parseJsonText(text));
  const sets = Object.entries(asObject(hashParameters)).map(([id, parameters]) => [id, asObject(parameters)]);
  return { hashParameters: Object.fromEntries(sets) };
}

function asObject(json: unknown): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new SyntaxError('Expected a JSON object.');
  return { ...json };
}
