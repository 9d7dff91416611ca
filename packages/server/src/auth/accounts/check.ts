import type { RecordPath, RecordRow, RecordView } from '../../records/store.ts';
import { isJsonObject } from '../fields.ts';
import { passkeyKey } from '../passkeys/passkey.ts';
import { type Account, decodeAccount } from './account.ts';
import { findCount, INDEXES, isEntryOf, lacksEntry, uidOfEntry } from './account-index.ts';
import { findAccount } from './account-store.ts';

/** Result of checking the account records of a project. */
export interface AccountsCheck {
  readonly accounts: number;
  readonly sessions: number;
  /** The first few problems, as sentences without a full stop. */
  readonly problems: readonly string[];
}

const PAGE = 500;
const MAX_PROBLEMS = 20;

/** The indexes of unique values, and the member of the account that holds the value. */
const FOUND_BY = { emails: 'email', phones: 'phoneNumber' } as const;

type Report = (problem: string) => void;

/**
 * Checks that index entries and accounts belong together, and that the stored number of accounts is right. Checks that
 * each session belongs to an account, and is in the account's list of sessions. Uses bounded memory; yields after each
 * page.
 */
export function* checkAccounts(records: RecordView): Generator<void, AccountsCheck> {
  const problems: string[] = [];
  const report: Report = (problem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const count = findCount(records);
  const accounts = yield* checkEach(records, 'accounts', ({ key, value }) => {
    const account = decodeAccount(key, value);
    checkAccount(records, account, report);
    if (count !== undefined && lacksEntry(records, account))
      report(`account ${account.uid} is missing from an index`);
  });
  if (count !== undefined && count !== accounts)
    report(`the stored number of accounts is ${count}, but there are ${accounts}`);
  for (const index of INDEXES)
    yield* checkEach(records, index, ({ key }) => {
      if (!isEntryOf(findAccount(records, uidOfEntry(key)), index, key))
        report(`the index ${index} has an entry that does not fit its account`);
    });
  for (const [kind, member] of Object.entries(FOUND_BY))
    yield* checkEach(records, kind, ({ key, value }) => {
      if (accountOf(records, value)[member] !== key)
        report(`the index ${kind} has an entry that does not fit its account`);
    });
  yield* checkEach(records, 'passkeys', ({ key, value }) => {
    const owner = findAccount(records, typeof value === 'string' ? value : '');
    if (!owner?.passkeys.some(({ credentialId }) => passkeyKey(credentialId) === key))
      report('the index passkeys has an entry that does not fit its account');
  });
  const sessions = yield* checkEach(records, 'sessions', (row) => checkSession(records, row, report));
  return { accounts, sessions, problems };
}

/** Checks every record of a kind, and returns the number of records. */
function* checkEach(
  records: RecordView,
  kind: string,
  check: (row: RecordRow) => void,
): Generator<void, number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const rows = records.list([kind], after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    rows.forEach(check);
    count += rows.length;
    after = rows.at(-1)?.key;
    if (rows.length < PAGE || after === undefined) return count;
    yield;
  }
}

function checkAccount(
  records: RecordView,
  { uid, email, phoneNumber, identities, passkeys }: Account,
  report: Report,
): void {
  const paths: readonly (readonly [RecordPath, string])[] = [
    ...(email === null ? [] : [[['emails', email], 'address'] as const]),
    ...(phoneNumber === null ? [] : [[['phones', phoneNumber], 'number'] as const]),
    ...identities.map(({ providerId, rawId }) => [['identities', providerId, rawId], 'identity'] as const),
    ...passkeys.map(({ credentialId }) => [['passkeys', passkeyKey(credentialId)], 'passkey'] as const),
  ];
  for (const [location, what] of paths)
    if (records.find(location) !== uid) report(`account ${uid} has no entry for its ${what}`);
}

function checkSession(records: RecordView, { key, value }: RecordRow, report: Report): void {
  const uid = isJsonObject(value) ? value['uid'] : undefined;
  if (typeof uid !== 'string' || records.find(['accounts', uid]) === undefined)
    report('a session belongs to an account that does not exist');
  else if (records.find(['sessionsOf', uid, key]) === undefined)
    report(`a session of account ${uid} is missing from the list of its sessions`);
}

/** Returns the account record to which an entry points, or an empty object if there is no such account. */
function accountOf(records: RecordView, uid: unknown): Readonly<Record<string, unknown>> {
  const account = typeof uid === 'string' && uid !== '' ? records.find(['accounts', uid]) : undefined;
  return isJsonObject(account) ? account : {};
}
