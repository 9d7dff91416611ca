import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { FileAccount } from '../../server/accounts-files.ts';

/** Longest JSON text of one account, in UTF-16 units. */
const MAX_ACCOUNT_LENGTH = 1_048_576;

/** What a file has beside its accounts. */
export interface FileHead {
  /** How passwords are hashed, by the `hashParametersId` of accounts. */
  readonly hashParameters: Readonly<Record<string, FileAccount>>;
}

/**
 * The accounts of a file `{"users": […]}`, one after the other, whatever its size, and at last what is beside them.
 * `onProgress` is told how many bytes have been read. Throws a `SyntaxError` that says which account is wrong.
 */
export async function* readAccounts(
  file: Blob,
  onProgress: (bytes: number) => void,
): AsyncGenerator<FileAccount, FileHead, undefined> {
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
    throw new SyntaxError(`The file ends before its JSON does, after ${count} accounts.`);
  return parseHead(splitter.others);
}

function parseAccount(text: string, count: number): FileAccount {
  try {
    return asObject(parseJsonText(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SyntaxError(`Account ${count} of the file is not JSON: ${cause.message}`, { cause });
  }
}

function parseHead(text: string): FileHead {
  const { hashParameters = {} } = asObject(parseJsonText(text));
  const sets = Object.entries(asObject(hashParameters)).map(([id, parameters]) => [id, asObject(parameters)]);
  return { hashParameters: Object.fromEntries(sets) };
}

function asObject(json: unknown): FileAccount {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new SyntaxError('It must be an object.');
  return { ...json };
}
