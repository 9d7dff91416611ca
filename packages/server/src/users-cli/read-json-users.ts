import { StringDecoder } from 'node:string_decoder';
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
  const splitter = new UserSplitter();
  let count = 0;
  for await (const chunk of chunks)
    for (const text of splitter.push(decoder.write(chunk))) {
      count += 1;
      yield parseUser(text, count);
    }
  if (!splitter.isComplete)
    throw new CommandFailure(`The file ends before its JSON does, after ${count} accounts.`);
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

/** Depth in the text at which the accounts are: inside of the object and its list. */
const USERS_DEPTH = 2;

/** Cuts the text of such a file into the texts of the accounts. */
class UserSplitter {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;
  /** The last text at the outermost level: the name of the list that comes next. */
  #name = '';
  #isInUsers = false;
  #text = '';
  #start = -1;

  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  *push(text: string): Generator<string> {
    const all = this.#text + text;
    const first = this.#text.length;
    for (let at = first; at < all.length; at += 1) {
      const character = all.charCodeAt(at);
      if (this.#isInString) {
        if (this.#depth === 1 && character !== QUOTE) this.#name += all.charAt(at);
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === BACKSLASH) this.#isEscaped = true;
        else if (character === QUOTE) this.#isInString = false;
        continue;
      }
      switch (character) {
        case QUOTE:
          this.#isInString = true;
          if (this.#depth === 1) this.#name = '';
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          this.#open(character, at);
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST: {
          this.#depth -= 1;
          if (this.#depth < 0)
            throw new CommandFailure('The file is not JSON: a bracket too many is closed.');
          if (this.#depth === 1) this.#isInUsers = false;
          if (this.#depth !== USERS_DEPTH || this.#start < 0) break;
          yield all.slice(this.#start, at + 1);
          this.#start = -1;
          break;
        }
        default:
      }
    }
    this.#keep(all);
  }

  #open(character: number, at: number): void {
    if (!this.#hasBegun && character !== OPEN_OBJECT)
      throw new CommandFailure('The file must be an object with a list "users".');
    this.#hasBegun = true;
    if (this.#depth === 1) this.#isInUsers = this.#name === 'users' && character === OPEN_LIST;
    if (this.#depth === USERS_DEPTH && this.#isInUsers) this.#start = at;
    this.#depth += 1;
  }

  /** Keeps what of the text belongs to an account that goes on. */
  #keep(all: string): void {
    this.#text = this.#start < 0 ? '' : all.slice(this.#start);
    if (this.#start >= 0) this.#start = 0;
    if (this.#text.length > MAX_USER_LENGTH)
      throw new CommandFailure(`An account of the file is longer than ${MAX_USER_LENGTH} characters.`);
  }
}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];
