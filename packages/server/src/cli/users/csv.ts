import { pipeline } from 'node:stream';
import type { FileUser } from '@hearth/core/api/account-file.ts';
import { CsvError, type Options, parse } from 'csv-parse';
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

/** Maximum length of a row, in bytes. */
const MAX_ROW_BYTES = 1_048_576;

const READ_OPTIONS = {
  bom: true,
  max_record_size: MAX_ROW_BYTES,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  relax_quotes: true,
  skip_records_with_empty_values: true,
} as const satisfies Options;

/**
 * Yields the rows of a CSV file of any size, without empty rows. Quoted fields may contain commas and line ends.
 * Throws a `CommandFailure` if the file ends within quotes or a row is too long.
 */
export async function* readCsvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const rows = parse(READ_OPTIONS);
  // An error of the source destroys the parser, whose iterator then throws it.
  pipeline(chunks, rows, () => {});
  try {
    yield* rows;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new CommandFailure(describeProblem(cause), cause);
  }
}

function describeProblem({ code, message }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'The file ends within quotes.';
    case 'CSV_MAX_RECORD_SIZE':
      return `A row of the file is longer than ${MAX_ROW_BYTES} bytes.`;
    default:
      return `The file is not valid CSV: ${message}.`;
  }
}
