import type { FileUser } from './file-user.ts';

/** Columns of members of the account. */
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
  // Hearth's own; the official command line does not look at it.
  hashParametersId: 52,
};

/** First columns of identities at other providers: id, address, name and photo. */
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
const OF_IDENTITY = ['rawId', 'email', 'displayName', 'photoUrl'] as const;
const COLUMN_COUNT = 53;

/** The account in a line, as the official command line writes it. */
export function decodeCsvUser(fields: readonly string[]): FileUser {
  const members = Object.entries(COLUMNS).map(([name, column]) => [name, fields[column] ?? '']);
  const identities = Object.entries(IDENTITY_COLUMNS)
    .filter(([, column]) => (fields[column] ?? '') !== '')
    .map(([providerId, first]) => ({
      providerId,
      ...withoutEmpty(OF_IDENTITY.map((name, index) => [name, fields[first + index] ?? ''])),
    }));
  return {
    ...withoutEmpty(members),
    ...(identities.length === 0 ? {} : { providerUserInfo: identities }),
  };
}

/** The account as a line with its end. Second factors and providers without a column are left out. */
export function encodeCsvUser(user: FileUser): string {
  const fields = Array.from({ length: COLUMN_COUNT }, () => '');
  for (const [name, column] of Object.entries(COLUMNS)) fields[column] = String(user[name] ?? '');
  for (const info of [user['providerUserInfo'] ?? []].flat()) {
    const identity: FileUser = Object(info);
    const first = IDENTITY_COLUMNS[String(identity['providerId'])];
    if (first === undefined) continue;
    for (const [index, name] of OF_IDENTITY.entries()) fields[first + index] = String(identity[name] ?? '');
  }
  return `${fields.map(quote).join(',')}\n`;
}

function withoutEmpty(members: readonly (readonly string[])[]): FileUser {
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
