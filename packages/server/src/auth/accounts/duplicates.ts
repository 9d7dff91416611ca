import type { RecordStore, RecordView } from '../../records/store.ts';
import type { JsonObject } from '../fields.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { type Account, decodeAccount } from './account.ts';
import { accountRecords, findAccount, findAccountByEmail, findAccountByPhone } from './account-store.ts';
import { readInSteps } from './query.ts';
import { userJson } from './user-json.ts';

/** Maximum number of accounts that one search for duplicates reads. */
const MAX_READ = 20_000;

/** Maximum number of duplicates that one search returns. */
const MAX_FOUND = 20;

/** An address or a number that two accounts have. */
interface SharedContact {
  readonly kind: 'email' | 'phone';
  readonly text: string;
}

interface Duplicate {
  readonly account: JsonObject;
  readonly shared: readonly SharedContact[];
}

interface Duplicates {
  readonly duplicates: readonly Duplicate[];
  /** Whether all accounts were read, and no further duplicate was found. */
  readonly isComplete: boolean;
}

/**
 * Returns the accounts that share an address or a number with an account: its own address if it is verified, those of its
 * identities at other providers, its number, and the numbers of its second factors. Reads the accounts that the index of
 * addresses and numbers names, and then the first `MAX_READ` accounts, in steps. `undefined` if there is no such account.
 */
export async function findDuplicates(
  recordStore: RecordStore,
  scope: AccountScope,
  uid: string,
): Promise<Duplicates | undefined> {
  const name = accountRecords(scope);
  const start = recordStore.read((view) => {
    const records = view.records(name);
    const account = findAccount(records, uid);
    return account === undefined ? undefined : { account, indexed: indexedOwners(records, account) };
  });
  if (start === undefined) return undefined;
  const wanted = new Map(contactsOf(start.account).map((contact) => [keyOf(contact), contact]));
  const found = new Map<string, Duplicate>();
  const add = (account: Account): void => {
    const shared = contactsOf(account).flatMap((contact) => wanted.get(keyOf(contact)) ?? []);
    if (account.uid !== uid && shared.length > 0 && found.size < MAX_FOUND)
      found.set(account.uid, { account: userJson(account, scope), shared });
  };
  for (const account of start.indexed) add(account);
  let read = 0;
  if (wanted.size > 0)
    for await (const rows of readInSteps(recordStore, name, ['accounts'])) {
      for (const { key, value } of rows) add(decodeAccount(key, value));
      read += rows.length;
      if (read >= MAX_READ || found.size >= MAX_FOUND) break;
    }
  return { duplicates: [...found.values()], isComplete: read < MAX_READ && found.size < MAX_FOUND };
}

function indexedOwners(records: RecordView, account: Account): readonly Account[] {
  return contactsOf(account).flatMap(({ kind, text }) => {
    const owner = kind === 'email' ? findAccountByEmail(records, text) : findAccountByPhone(records, text);
    return owner ?? [];
  });
}

/** Returns the addresses and numbers of an account, each once. */
function contactsOf(account: Account): readonly SharedContact[] {
  const { email, isEmailVerified, identities, phoneNumber, factors } = account;
  const emails = [isEmailVerified ? email : null, ...identities.map((identity) => identity.email)];
  const phones = [
    phoneNumber,
    ...factors.map((factor) => (factor.kind === 'phone' ? factor.phoneNumber : null)),
  ];
  const once = (texts: readonly (string | null)[]): readonly string[] =>
    [...new Set(texts.filter((text) => text !== null && text !== ''))] as readonly string[];
  return [
    ...once(emails.map((text) => text?.toLowerCase() ?? null)).map(
      (text) => ({ kind: 'email', text }) as const,
    ),
    ...once(phones).map((text) => ({ kind: 'phone', text }) as const),
  ];
}

function keyOf({ kind, text }: SharedContact): string {
  return `${kind}:${text}`;
}
