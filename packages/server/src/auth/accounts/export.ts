import { setImmediate } from 'node:timers/promises';
import type { RecordStoreView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { exportPasskeys } from '../passkeys/passkey-file.ts';
import { decodePasswordHash, type PasswordHash } from '../passwords/hash.ts';
import { encodeHashParameters, requireHashParameters } from '../passwords/hash-parameter-store.ts';
import type { HashParameters } from '../passwords/hash-parameters.ts';
import { type AuthRequest, requireProjectName } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { hasControls, MAX_UID_LENGTH } from '../tokens/id-token.ts';
import { type Account, decodeAccount } from './account.ts';
import { accountRecords } from './account-store.ts';
import { userJson } from './user-json.ts';

/** A password hash as callers with the right to read hashes get it. */
export interface ExportedHash {
  /** `passwordHash`, `salt`, `version` and the id of the parameters. */
  readonly members: JsonObject;
  readonly parametersId: string;
  /** Members of the request that would import the hash, including the signer key. */
  readonly parameters: JsonObject;
}

/**
 * Values of `version`: for imported hashes, and for Hearth's own hashes. They differ so that official tools do
 * not mix them up.
 */
const IMPORTED_VERSION = 0;
const NATIVE_VERSION = 1;

/** Returns the hash of an account in the format of the API: bytes in padded base64url. */
function exportHash(stored: JsonObject, requireParameters: (id: string) => HashParameters): ExportedHash {
  const hash = decodePasswordHash(stored, requireParameters);
  const { id, parameters } = describe(hash);
  return {
    members: {
      passwordHash: base64url(hash.hash),
      ...(hash.salt.length === 0 ? {} : { salt: base64url(hash.salt) }),
      version: hash.kind === 'native' ? NATIVE_VERSION : IMPORTED_VERSION,
      hashParametersId: id,
    },
    parametersId: id,
    parameters,
  };
}

function describe(hash: PasswordHash): { readonly id: string; readonly parameters: JsonObject } {
  switch (hash.kind) {
    case 'imported':
      return {
        id: hash.parametersId,
        parameters: encodeHashParameters(hash.parameters, (key) => Buffer.from(key).toString('base64')),
      };
    case 'native': {
      const { memoryKiB, passes, parallelism } = hash.cost;
      const parameters = encodeHashParameters(
        {
          kind: 'argon2',
          variant: 'argon2id',
          version: 0x13,
          cost: hash.cost,
          associatedData: new Uint8Array(),
        },
        () => '',
      );
      return { id: `argon2id-${memoryKiB}-${passes}-${parallelism}`, parameters };
    }
    default:
      return hash satisfies never;
  }
}

/**
 * Encodes bytes in base64url with padding: some tools convert the text to base64 by replacing only `-` and `_`,
 * and then write it into files.
 */
function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Exports the password hashes of accounts, and collects the parameters that these hashes need. */
class HashExporter {
  readonly #services: AuthServices;
  readonly #opened = new Map<string, HashParameters>();
  readonly #needed = new Map<string, JsonObject>();

  constructor(services: AuthServices) {
    this.#services = services;
  }

  /**
   * Returns the members of the account's JSON that hold its hash; none for an account without a password.
   */
  export(view: RecordStoreView, { password }: Account): JsonObject {
    if (password === null) return {};
    const { members, parametersId, parameters } = exportHash(password, (id) => this.#findOrThrow(view, id));
    this.#needed.set(parametersId, parameters);
    return members;
  }

  /** The collected parameters by id. */
  get parameters(): JsonObject {
    return Object.fromEntries(this.#needed);
  }

  #findOrThrow(view: RecordStoreView, id: string): HashParameters {
    const found = this.#opened.get(id) ?? requireHashParameters(view, this.#services, id);
    this.#opened.set(id, found);
    return found;
  }
}

const KIND = 'identitytoolkit#DownloadAccountResponse';
const DEFAULT_PAGE = 20;
const MAX_PAGE = 1_000;
/** Maximum number of accounts that are read in one step, so that other requests do not wait long. */
const STEP_ACCOUNTS = 250;

/**
 * `accounts:batchGet`: returns all accounts in the order of their user ids, page by page. If the caller may read
 * hashes, the response includes them, the public keys of passkeys, and `hashParameters` by the `hashParametersId` of the accounts.
 */
export async function batchGet(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requireProjectName(call);
  const limit = parseLimit(call);
  const hashes =
    call.caller.kind === 'admin' && call.caller.mayReadHashes ? new HashExporter(services) : undefined;
  const users: JsonObject[] = [];
  let last = parsePageToken(call);
  for (;;) {
    const count = Math.min(limit - users.length, STEP_ACCOUNTS);
    const uids = readStep(call, services, hashes, last, count, users);
    last = uids.at(-1) ?? last;
    if (uids.length < count || users.length === limit) break;
    await setImmediate();
  }
  if (hashes !== undefined && users.length > 0)
    recordAudit(services, call, 'hashes_exported', null, { detail: `${users.length} accounts` });
  return {
    kind: KIND,
    ...(users.length === 0 ? {} : { users }),
    ...(hashes === undefined || users.length === 0 ? {} : { hashParameters: hashes.parameters }),
    ...(users.length === limit && last !== undefined ? { nextPageToken: last } : {}),
  };
}

/** Appends the accounts after the user id `after` to `users`, and returns their user ids. */
function readStep(
  { project }: AuthRequest,
  { recordStore }: AuthServices,
  hashes: HashExporter | undefined,
  after: string | undefined,
  limit: number,
  users: JsonObject[],
): readonly string[] {
  return recordStore.read((view) => {
    const range = after === undefined ? { limit } : { after, limit };
    const rows = view.records(accountRecords(project.scope)).list(['accounts'], range);
    for (const { key, value } of rows) {
      const account = decodeAccount(key, value);
      const credentials =
        hashes === undefined ? {} : { ...hashes.export(view, account), ...exportPasskeys(account) };
      users.push({ ...userJson(account, project.scope), ...credentials });
    }
    return rows.map(({ key }) => key);
  });
}

function parseLimit({ fields }: AuthRequest): number {
  const limit = fields.whole('maxResults') ?? DEFAULT_PAGE;
  return limit <= 0 ? DEFAULT_PAGE : Math.min(limit, MAX_PAGE);
}

/**
 * Returns the user id after which the page begins: the page token itself, as in the official service. So pages
 * neither repeat nor skip accounts that remain, and callers may begin at any user id. Throws
 * `INVALID_PAGE_SELECTION` for text that cannot be a user id.
 */
function parsePageToken({ fields }: AuthRequest): string | undefined {
  const uid = fields.filled('nextPageToken');
  if (uid === undefined) return undefined;
  if (uid.length > MAX_UID_LENGTH || hasControls(uid) || !uid.isWellFormed())
    throw new AuthApiError('INVALID_PAGE_SELECTION');
  return uid;
}
