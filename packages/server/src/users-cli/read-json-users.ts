import { StringDecoder } from 'node:string_decoder';
import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import type { FileUser } from './file-user.ts';
import { isJsonObject } from './json-object.ts';

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
