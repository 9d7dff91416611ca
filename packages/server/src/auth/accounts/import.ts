import type {
  RecordPath,
  RecordRow,
  RecordStoreTransaction,
  RecordTransaction,
  RecordView,
  RowRange,
} from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { MAX_FACTORS } from '../mfa/policy.ts';
import { storeHashParameters } from '../passwords/hash-parameter-store.ts';
import { checkHashCost, HashParametersError, parseHashParameters } from '../passwords/hash-parameters.ts';
import { type AuthRequest, requireProjectName } from '../request.ts';
import { isMember, requireNotMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import type { Account } from './account.ts';
import {
  accountRecords,
  findAccount,
  findAccountByEmail,
  findAccountByIdentity,
  findAccountByPasskey,
  findAccountByPhone,
  saveAccount,
} from './account-store.ts';
import { newUid } from './field-parsers.ts';
import { type ImportedAccount, parseImportedAccount } from './imported-account.ts';
import {
  EMULATOR_PARAMETERS,
  type ImportParameters,
  ImportProblem,
  isFakeHash,
} from './imported-password.ts';

/**
 * The account records of a transaction. `find` also returns what the transaction has already written at exactly the
 * given path, so that each account of a step is compared with the accounts before it. Lists and increased numbers show
 * the state before the transaction. Values are cached, because the import reads them repeatedly.
 */
class OverlaidRecords implements RecordTransaction {
  readonly #records: RecordTransaction;
  readonly #known = new Map<string, unknown>();

  constructor(records: RecordTransaction) {
    this.#records = records;
  }

  find(location: RecordPath): unknown {
    const name = JSON.stringify(location);
    if (this.#known.has(name)) return this.#known.get(name);
    const value = this.#records.find(location);
    this.#known.set(name, value);
    return value;
  }

  list(location: RecordPath, range: RowRange): readonly RecordRow[] {
    return this.#records.list(location, range);
  }

  listKeys(location: RecordPath, range: RowRange): readonly string[] {
    return this.#records.listKeys(location, range);
  }

  write(location: RecordPath, value: unknown): void {
    this.#known.set(JSON.stringify(location), value ?? undefined);
    this.#records.write(location, value);
  }

  increase(location: RecordPath, by: number): void {
    this.#records.increase(location, by);
  }
}

/** Maximum number of accounts that one transaction imports, so that other requests do not wait long. */
const STEP_ACCOUNTS = 50;

/** One account of an import and its position in the request. */
interface ImportItem extends ImportedAccount {
  readonly index: number;
}

interface ItemError {
  readonly index: number;
  readonly message: string;
}

/** Saves the accounts of an import, step by step. Returns an error for each account that was not imported. */
async function importAccounts(
  { recordStore }: AuthServices,
  call: AuthRequest,
  items: readonly ImportItem[],
  mayOverwrite: boolean,
): Promise<readonly ItemError[]> {
  const errors: ItemError[] = [];
  for (let start = 0; start < items.length; start += STEP_ACCOUNTS) {
    const step = items.slice(start, start + STEP_ACCOUNTS);
    const failed = await recordStore.change((transaction) => {
      requireNotDeleted(transaction, call.project.scope);
      const records = new OverlaidRecords(transaction.records(accountRecords(call.project.scope)));
      return step.flatMap((item) => importOne({ transaction, call, records }, item, mayOverwrite));
    });
    errors.push(...failed);
  }
  return errors;
}

/** The request and the records of the import of an account. */
interface ImportContext {
  readonly transaction: RecordStoreTransaction;
  readonly call: AuthRequest;
  /** The account records, including what this import has already written. */
  readonly records: RecordTransaction;
}

function importOne(
  { transaction, call, records }: ImportContext,
  { index, account, revokedBeforeSec }: ImportItem,
  mayOverwrite: boolean,
): readonly ItemError[] {
  try {
    const before = findAccount(records, account.uid);
    if (before !== undefined && !mayOverwrite)
      throw new ImportProblem('localId belongs to an existing account - can not overwrite.');
    if (before !== undefined && isMember(transaction, call.project.scope, account.uid))
      requireUnprotected(transaction, call, account);
    requireUnique(records, account);
    const after = before === undefined ? account : overwrite(before, account, revokedBeforeSec);
    saveAccount(records, before, after);
    if (before !== undefined && (after.isDisabled || after.validSinceSec > before.validSinceSec))
      endSessions(records, account.uid);
    return [];
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    return [{ index, message: error.message }];
  }
}

/**
 * Throws an `ImportProblem` if the import would disable a member, or if a caller who is not an owner would
 * change a member. An import cannot disable members at all: one owner must remain, and a step could disable
 * several.
 */
function requireUnprotected(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  { uid, isDisabled }: Account,
): void {
  if (isDisabled)
    throw new ImportProblem('the account belongs to a member - disable it with accounts:update.');
  try {
    requireNotMember(transaction, call, uid);
  } catch (cause) {
    if (!(cause instanceof AuthApiError)) throw cause;
    throw new ImportProblem(cause.detail ?? cause.code, cause);
  }
}

/**
 * Returns the imported account with the authenticator apps and recovery codes of the stored account, because an import
 * cannot contain them, and with its passkeys unless the import has others. Tokens become invalid only if the import
 * gives a later time of revocation. Throws an `ImportProblem` if the account would have too many factors.
 */
function overwrite(before: Account, account: Account, revokedBeforeSec: number): Account {
  const factors = [...before.factors.filter(({ kind }) => kind !== 'phone'), ...account.factors];
  if (factors.length > MAX_FACTORS)
    throw new ImportProblem(`The account would have more than ${MAX_FACTORS} second factors.`);
  return {
    ...account,
    validSinceSec: Math.max(before.validSinceSec, revokedBeforeSec),
    factors,
    recoveryCodes: before.recoveryCodes,
    ...(account.passkeys.length > 0
      ? {}
      : { passkeys: before.passkeys, passkeyHandle: before.passkeyHandle }),
  };
}

function requireUnique(
  records: RecordView,
  { uid, email, phoneNumber, identities, passkeys }: Account,
): void {
  const isOther = (owner: Account | undefined): boolean => owner !== undefined && owner.uid !== uid;
  if (email !== null && isOther(findAccountByEmail(records, email)))
    throw new ImportProblem('email exists in other account in database');
  if (phoneNumber !== null && isOther(findAccountByPhone(records, phoneNumber)))
    throw new ImportProblem('phone number exists in other account in database');
  for (const { providerId, rawId } of identities)
    if (isOther(findAccountByIdentity(records, providerId, rawId)))
      throw new ImportProblem('raw id exists in other account in database');
  for (const { credentialId } of passkeys)
    if (isOther(findAccountByPasskey(records, credentialId)))
      throw new ImportProblem('passkey exists in other account in database');
}

const KIND = 'identitytoolkit#UploadAccountResponse';
const MAX_ACCOUNTS = 1_000;

/** `accounts:batchCreate`: imports up to 1,000 accounts with their password hashes. Sends no mails. */
export async function batchCreate(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requireProjectName(call);
  const { fields } = call;
  const users = fields.objects('users') ?? [];
  const mayOverwrite = fields.flag('allowOverwrite') ?? false;
  if (users.length === 0) throw new AuthApiError('MISSING_USER_ACCOUNT');
  if (users.length > MAX_ACCOUNTS)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `An import has at most ${MAX_ACCOUNTS} accounts: split it into several requests.`,
    );
  if (fields.flag('sanityCheck') === true) requireSane(users);
  if (!mayOverwrite) requireDistinct(users, (user) => user.filled('localId'), duplicateUid);
  const hashing = await readHashing(call, services, users);
  const { items, errors } = parseItems(users, hashing, call, services);
  for (const { importedHash } of items)
    if (importedHash !== undefined) await services.passwords.measure(importedHash);
  const hashed = await hashRawPasswords(items, services, call.client.network);
  const failed = await importAccounts(services, call, hashed, mayOverwrite);
  const all = [...errors, ...failed].sort((a, b) => a.index - b.index);
  recordAudit(services, call, 'accounts_imported', null, {
    detail: `${users.length - all.length} accounts, ${all.length} rejected`,
  });
  return { kind: KIND, ...(all.length === 0 ? {} : { error: all }) };
}

function parseItems(
  users: readonly Fields[],
  hashing: ImportParameters | undefined,
  { project }: AuthRequest,
  { clock, randomBytes }: AuthServices,
): { readonly items: readonly ImportItem[]; readonly errors: readonly ItemError[] } {
  const items: ImportItem[] = [];
  const errors: ItemError[] = [];
  const context = { project, nowMs: clock.nowMs(), newId: () => newUid(randomBytes), hashing };
  for (const [index, user] of users.entries())
    try {
      items.push({ index, ...parseImportedAccount(user, context) });
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      errors.push({ index, message: error.message });
    }
  return { items, errors };
}

/** Maximum number of passwords that an import hashes in parallel, so that users can sign in during an import. */
const MAX_PARALLEL_HASHES = 2;

/** Hashes the passwords in clear text, a few in parallel. Rejects with `PasswordHasherBusy`. */
async function hashRawPasswords(
  items: readonly ImportItem[],
  { passwords }: AuthServices,
  network: string,
): Promise<readonly ImportItem[]> {
  const hashed = [...items];
  const waiting = items.entries();
  const hashNext = async (): Promise<void> => {
    for (const [position, item] of waiting) {
      if (item.rawPassword === undefined) continue;
      const password = await passwords.hashEncoded(item.rawPassword, network);
      hashed[position] = { ...item, account: { ...item.account, password } };
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_HASHES }, hashNext));
  return hashed;
}

/** Returns the hash parameters of a request, or `undefined` if no account has a password hash. */
async function readHashing(
  { fields }: AuthRequest,
  services: AuthServices,
  users: readonly Fields[],
): Promise<ImportParameters | undefined> {
  const hashes = users.map((user) => user.filled('passwordHash')).filter((hash) => hash !== undefined);
  if (hashes.length === 0) return undefined;
  const isFromEmulator = services.isDevelopment && hashes.every(isFakeHash);
  const parameters = isFromEmulator ? EMULATOR_PARAMETERS : readParameters(fields);
  const problem = checkHashCost(parameters);
  if (problem !== undefined) throw new AuthApiError('INVALID_HASH_ALGORITHM', problem);
  return { id: await storeHashParameters(services, parameters), parameters };
}

function readParameters(fields: Fields): ReturnType<typeof parseHashParameters> {
  const given = HASH_MEMBERS.flatMap((name) => (fields.has(name) ? [[name, fields.find(name)]] : []));
  try {
    return parseHashParameters(Object.fromEntries(given));
  } catch (cause) {
    if (!(cause instanceof HashParametersError)) throw cause;
    throw new AuthApiError('INVALID_HASH_ALGORITHM', cause.message, { cause });
  }
}

const HASH_MEMBERS = [
  'hashAlgorithm',
  'signerKey',
  'saltSeparator',
  'rounds',
  'memoryCost',
  'parallelization',
  'blockSize',
  'cpuMemCost',
  'dkLen',
  'argon2Parameters',
  'passwordHashOrder',
] as const;

function requireSane(users: readonly Fields[]): void {
  requireDistinct(
    users,
    (user) => user.filled('email')?.toLowerCase(),
    (email) => new AuthApiError('DUPLICATE_EMAIL', email),
  );
  const identities = users.flatMap((user) => user.objects('providerUserInfo') ?? []);
  requireDistinct(
    identities,
    (info) => {
      const rawId = info.filled('rawId');
      return rawId === undefined
        ? undefined
        : `Provider id(${info.filled('providerId') ?? ''}), Raw id(${rawId})`;
    },
    (identity) => new AuthApiError('DUPLICATE_RAW_ID', identity),
  );
}

function duplicateUid(uid: string): AuthApiError {
  return new AuthApiError('DUPLICATE_LOCAL_ID', uid);
}

function requireDistinct(
  list: readonly Fields[],
  nameOf: (fields: Fields) => string | undefined,
  requestError: (name: string) => AuthApiError,
): void {
  const seen = new Set<string>();
  for (const fields of list) {
    const name = nameOf(fields);
    if (name === undefined) continue;
    if (seen.has(name)) throw requestError(name);
    seen.add(name);
  }
}
