import { StringDecoder } from 'node:string_decoder';
import type { FileUser } from '../../auth/accounts/file-account.ts';
import { CommandFailure } from '../../platform/failures.ts';

/** Column numbers of the members of an account, from 0. */
const COLUMNS: Readonly<Record<string, number>> = {
  localId: 0,
  email: 1,
  emailVerified: 2,
  passwordHash: 3,
  salt: 4,
  displayName: 5,
  photoUrl: 6,
  createdAt: 23,
  lastSignedInAt: 24,
  phoneNumber: 25,
  disabled: 26,
  customAttributes: 27,
  // Specific to Hearth: the official command-line tool ignores this column.
  hashParametersId: 52,
};

/**
 * First columns of the identities at other providers. Each identity has four: id, email address, name and
 * photo.
 */
const IDENTITY_COLUMNS: Readonly<Record<string, number>> = {
  'google.com': 7,
  'facebook.com': 11,
  'twitter.com': 15,
  'github.com': 19,
  'apple.com': 28,
  'microsoft.com': 32,
  'gc.apple.com': 36,
  'playgames.google.com': 40,
  'linkedin.com': 44,
  'yahoo.com': 48,
};
const IDENTITY_FIELDS = ['rawId', 'email', 'displayName', 'photoUrl'] as const;
const COLUMN_COUNT = 53;

/** Returns the account of a row in the format of the official command-line tool. */
export function decodeCsvUser(fields: readonly string[]): FileUser {
  const members = Object.entries(COLUMNS).map(([name, column]) => [name, fields[column] ?? '']);
  const identities = Object.entries(IDENTITY_COLUMNS)
    .filter(([, column]) => (fields[column] ?? '') !== '')
    .map(([providerId, first]) => ({
      providerId,
      ...withoutEmpty(IDENTITY_FIELDS.map((name, index) => [name, fields[first + index] ?? ''])),
    }));
  return {
    ...withoutEmpty(members),
    ...(identities.length === 0 ? {} : { providerUserInfo: identities }),
  };
}

/**
 * Returns the account as a line, including the line end. Second factors and providers without a column are
 * omitted.
 */
export function encodeCsvUser(user: FileUser): string {
  const fields = Array.from({ length: COLUMN_COUNT }, () => '');
  for (const [name, column] of Object.entries(COLUMNS)) fields[column] = String(user[name] ?? '');
  for (const info of [user['providerUserInfo'] ?? []].flat()) {
    const identity: FileUser = Object(info);
    const first = IDENTITY_COLUMNS[String(identity['providerId'])];
    if (first === undefined) continue;
    for (const [index, name] of IDENTITY_FIELDS.entries())
      fields[first + index] = String(identity[name] ?? '');
  }
  return `${fields.map(quote).join(',')}\n`;
}

function withoutEmpty(members: readonly (readonly string[])[]): FileUser {
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Maximum length of a field, in UTF-16 code units. */
const MAX_FIELD_LENGTH = 1_048_576;

/** Yields the rows of a CSV file of any size. Quoted fields may contain commas and line ends. */
export async function* readCsvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  const rows = new RowReader();
  for await (const chunk of chunks) yield* rows.push(decoder.write(chunk));
  yield* rows.end();
}

class RowReader {
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  /** Whether the last character was a quote inside a quoted field. Two quotes in a row stand for one. */
  #mayEnd = false;

  *push(text: string): Generator<readonly string[]> {
    for (const character of text) {
      if (this.#isQuoted && !this.#mayEnd) {
        if (character === '"') this.#mayEnd = true;
        else this.#add(character);
        continue;
      }
      if (this.#mayEnd && character === '"') {
        this.#mayEnd = false;
        this.#add(character);
        continue;
      }
      this.#isQuoted = false;
      this.#mayEnd = false;
      if (character === '"' && this.#field === '') this.#isQuoted = true;
      else if (character === ',') this.#endField();
      else if (character === '\n') yield* this.#endRow();
      else if (character !== '\r') this.#add(character);
    }
  }

  *end(): Generator<readonly string[]> {
    if (this.#isQuoted && !this.#mayEnd) throw new CommandFailure('The file ends within quotes.');
    yield* this.#endRow();
  }

  #add(character: string): void {
    this.#field += character;
    if (this.#field.length > MAX_FIELD_LENGTH)
      throw new CommandFailure(`A field of the file is longer than ${MAX_FIELD_LENGTH} characters.`);
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
  }

  *#endRow(): Generator<readonly string[]> {
    this.#endField();
    const fields = this.#fields;
    this.#fields = [];
    if (fields.some((field) => field !== '')) yield fields;
  }
}
