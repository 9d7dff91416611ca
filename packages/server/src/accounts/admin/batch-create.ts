import { checkHashCost } from '../../passwords/check-hash-cost.ts';
import { HashParametersError } from '../../passwords/hash-parameter-fields.ts';
import { parseHashParameters } from '../../passwords/parse-hash-parameters.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { newUid } from '../random-id.ts';
import { tellAudit } from '../tell-audit.ts';
import { type ImportItem, type ItemError, importAccounts } from './import-accounts.ts';
import { ImportProblem } from './import-problem.ts';
import { EMULATOR_PARAMETERS, type ImportParameters, isFakeHash } from './imported-password.ts';
import { keepHashParameters } from './keep-hash-parameters.ts';
import { mustNameProject } from './must-name-project.ts';
import { parseImportedAccount } from './parse-imported-account.ts';

const KIND = 'identitytoolkit#UploadAccountResponse';
const MAX_ACCOUNTS = 1_000;

/** `accounts:batchCreate`: imports up to 1,000 accounts with their password hashes. It sends no mails. */
export async function batchCreate(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  mustNameProject(call);
  const { fields } = call;
  const users = fields.objects('users') ?? [];
  const mayOverwrite = fields.flag('allowOverwrite') ?? false;
  if (users.length === 0) throw new IdentityError('MISSING_USER_ACCOUNT');
  if (users.length > MAX_ACCOUNTS)
    throw new IdentityError('INVALID_ARGUMENT', `At most ${MAX_ACCOUNTS} accounts are imported at once.`);
  if (fields.flag('sanityCheck') === true) mustBeSane(users);
  if (!mayOverwrite) mustDiffer(users, (user) => user.filled('localId'), duplicateUid);
  const hashing = await readHashing(call, services, users);
  const { items, errors } = parseItems(users, hashing, services);
  const failed = await importAccounts(services, call, items, mayOverwrite);
  const all = [...errors, ...failed].sort((a, b) => a.index - b.index);
  tellAudit(services, call, 'accounts_imported', null, {
    detail: `${users.length - all.length} accounts, ${all.length} refused`,
  });
  return { kind: KIND, ...(all.length === 0 ? {} : { error: all }) };
}

function parseItems(
  users: readonly Fields[],
  hashing: ImportParameters | undefined,
  { clock, randomBytes }: IdentityServices,
): { readonly items: readonly ImportItem[]; readonly errors: readonly ItemError[] } {
  const items: ImportItem[] = [];
  const errors: ItemError[] = [];
  const context = { nowMs: clock.nowMs(), newId: () => newUid(randomBytes), hashing };
  for (const [index, user] of users.entries())
    try {
      items.push({ index, account: parseImportedAccount(user, context) });
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      errors.push({ index, message: error.message });
    }
  return { items, errors };
}

/** How the hashes of a request were made; `undefined` when it has none. */
async function readHashing(
  { fields }: IdentityCall,
  services: IdentityServices,
  users: readonly Fields[],
): Promise<ImportParameters | undefined> {
  const hashes = users.map((user) => user.filled('passwordHash')).filter((hash) => hash !== undefined);
  if (hashes.length === 0) return undefined;
  const isFromEmulator = services.isDevelopment && hashes.every(isFakeHash);
  const parameters = isFromEmulator ? EMULATOR_PARAMETERS : readParameters(fields);
  const problem = checkHashCost(parameters);
  if (problem !== undefined) throw new IdentityError('INVALID_HASH_ALGORITHM', problem);
  return { id: await keepHashParameters(services, parameters), parameters };
}

function readParameters(fields: Fields): ReturnType<typeof parseHashParameters> {
  const given = HASH_MEMBERS.flatMap((name) => (fields.has(name) ? [[name, fields.find(name)]] : []));
  try {
    return parseHashParameters(Object.fromEntries(given));
  } catch (cause) {
    if (!(cause instanceof HashParametersError)) throw cause;
    throw new IdentityError('INVALID_HASH_ALGORITHM', cause.message, { cause });
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

function mustBeSane(users: readonly Fields[]): void {
  mustDiffer(
    users,
    (user) => user.filled('email')?.toLowerCase(),
    (email) => new IdentityError('DUPLICATE_EMAIL', email),
  );
  const identities = users.flatMap((user) => user.objects('providerUserInfo') ?? []);
  mustDiffer(
    identities,
    (info) => {
      const rawId = info.filled('rawId');
      return rawId === undefined
        ? undefined
        : `Provider id(${info.filled('providerId') ?? ''}), Raw id(${rawId})`;
    },
    (identity) => new IdentityError('DUPLICATE_RAW_ID', identity),
  );
}

function duplicateUid(uid: string): IdentityError {
  return new IdentityError('DUPLICATE_LOCAL_ID', uid);
}

function mustDiffer(
  list: readonly Fields[],
  nameOf: (fields: Fields) => string | undefined,
  refusal: (name: string) => IdentityError,
): void {
  const seen = new Set<string>();
  for (const fields of list) {
    const name = nameOf(fields);
    if (name === undefined) continue;
    if (seen.has(name)) throw refusal(name);
    seen.add(name);
  }
}
