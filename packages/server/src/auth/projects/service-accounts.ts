import type { AdminRole, ListedServiceAccount } from '@hearth/core/api/service-account.ts';
import { INSTALLATION, type RecordPath, type RecordStore, type RecordView } from '../../records/store.ts';
import { generateRsaKeyPair } from '../tokens/signing-keys.ts';
import {
  accountSegments,
  decodeBlobSigner,
  decodeServiceAccount,
  decodeServiceAccountKey,
  encodeServiceAccount,
  keysPath,
  parseServiceAccountEmail,
  type ServiceAccount,
  type ServiceAccountKeyRecord,
  type ServiceAccountRecord,
  serviceAccountEmail,
  signersPath,
} from './service-account.ts';

/**
 * The key file of a service account in the format of the official libraries. It grants all rights of the
 * account to its holder.
 */
export interface ServiceAccountKeyFile {
  readonly type: 'service_account';
  readonly project_id: string;
  readonly private_key_id: string;
  /** The private key in PKCS #8 format, encoded as PEM. */
  readonly private_key: string;
  readonly client_email: string;
  readonly client_id: string;
  readonly token_uri: string;
}

export interface KeyFileSpec {
  readonly projectId: string;
  readonly email: string;
  readonly tokenUrl: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface NewServiceAccountKey {
  readonly keyFile: ServiceAccountKeyFile;
  readonly keyId: string;
  /** SPKI in PEM: the only part that is stored. */
  readonly publicKey: string;
}

const KEY_ID_BYTES = 20;
const CLIENT_ID_BYTES = 8;

async function generateServiceAccountKey(spec: KeyFileSpec): Promise<NewServiceAccountKey> {
  const { projectId, email, tokenUrl, randomBytes } = spec;
  const keyId = Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex');
  const { publicKey, privateKey } = await generateRsaKeyPair();
  const keyFile: ServiceAccountKeyFile = {
    type: 'service_account',
    project_id: projectId,
    private_key_id: keyId,
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_email: email,
    client_id: String(Buffer.from(randomBytes(CLIENT_ID_BYTES)).readBigUInt64BE()),
    token_uri: tokenUrl,
  };
  return { keyFile, keyId, publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString() };
}

/**
 * Maximum number of accounts of a project, and of keys of an account. The server tries all keys if a token names no
 * key.
 */
const MAX_ACCOUNTS = 100;
const MAX_KEYS = 10;

export interface ServiceAccountsOptions {
  readonly recordStore: RecordStore;
  readonly randomBytes: (count: number) => Uint8Array;
}

export type AccountCreation =
  | { readonly kind: 'created'; readonly email: string }
  | { readonly kind: 'exists'; readonly email: string; readonly roles: readonly AdminRole[] }
  | { readonly kind: 'bad-name' }
  | { readonly kind: 'too-many' };

export type KeyCreation =
  | { readonly kind: 'created'; readonly keyFile: ServiceAccountKeyFile }
  | { readonly kind: 'no-such-account' }
  | { readonly kind: 'too-many' };

/** The service accounts of all projects, in the records of the installation. */
export class ServiceAccounts {
  readonly #recordStore: RecordStore;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor({ recordStore, randomBytes }: ServiceAccountsOptions) {
    this.#recordStore = recordStore;
    this.#randomBytes = randomBytes;
  }

  /** Returns the account with an address and its keys, or `undefined` if it is unknown or disabled. */
  readonly find = (email: string): ServiceAccount | undefined => {
    const named = parseServiceAccountEmail(email);
    if (named === undefined) return undefined;
    const { projectId } = named;
    return this.#recordStore.read((view) => {
      const records = view.records(INSTALLATION);
      const record = findRecord(records, accountPath(email));
      if (record === undefined || record.isDisabled) return undefined;
      const keys = listKeys(records, email).map(({ keyId, publicKey }) => ({ keyId, publicKey }));
      return { email, projectId, roles: record.roles, keys };
    });
  };

  /** Like `find`, but includes the keys with which the server signs custom tokens for the account. */
  readonly findWithSigners = (email: string): ServiceAccount | undefined => {
    const account = this.find(email);
    if (account === undefined) return undefined;
    const signers = this.#recordStore.read((view) =>
      view
        .records(INSTALLATION)
        .list(signersPath(email), { limit: MAX_KEYS })
        .map(({ value }) => decodeBlobSigner(value)),
    );
    const signing = signers.map(({ signerId, publicKey }) => ({ keyId: signerId, publicKey }));
    return { ...account, keys: [...account.keys, ...signing] };
  };

  /** Returns all accounts of a project, without the contents of their keys. */
  list(projectId: string): readonly ListedServiceAccount[] {
    return this.#recordStore.read((view) => {
      const records = view.records(INSTALLATION);
      return records.list(['service-accounts', projectId], { limit: MAX_ACCOUNTS }).map(({ key, value }) => {
        const email = serviceAccountEmail(key, projectId);
        const keys = listKeys(records, email).map(({ keyId, createdAtMs }) => ({ keyId, createdAtMs }));
        return { ...decodeServiceAccount(value), email, keys };
      });
    });
  }

  create(projectId: string, name: string, roles: readonly AdminRole[]): Promise<AccountCreation> {
    const email = serviceAccountEmail(name, projectId);
    if (parseServiceAccountEmail(email)?.name !== name) return Promise.resolve({ kind: 'bad-name' });
    return this.#recordStore.change((transaction): AccountCreation => {
      const records = transaction.records(INSTALLATION);
      const existing = findRecord(records, accountPath(email));
      if (existing !== undefined) return { kind: 'exists', email, roles: existing.roles };
      const present = records.list(['service-accounts', projectId], { limit: MAX_ACCOUNTS });
      if (present.length === MAX_ACCOUNTS) return { kind: 'too-many' };
      const record = { roles, createdAtMs: transaction.nowMs, isDisabled: false };
      records.write(accountPath(email), encodeServiceAccount(record));
      return { kind: 'created', email };
    });
  }

  /** Creates another key. The file contains the private key, which is stored nowhere else. */
  async createKey(email: string, tokenUrl: string): Promise<KeyCreation> {
    const projectId = parseServiceAccountEmail(email)?.projectId;
    if (projectId === undefined) return { kind: 'no-such-account' };
    const { keyFile, keyId, publicKey } = await generateServiceAccountKey({
      projectId,
      email,
      tokenUrl,
      randomBytes: this.#randomBytes,
    });
    return this.#recordStore.change((transaction): KeyCreation => {
      const records = transaction.records(INSTALLATION);
      if (findRecord(records, accountPath(email)) === undefined) return { kind: 'no-such-account' };
      if (listKeys(records, email).length === MAX_KEYS) return { kind: 'too-many' };
      const record: ServiceAccountKeyRecord = { publicKey, createdAtMs: transaction.nowMs };
      records.write([...keysPath(email), keyId], record);
      return { kind: 'created', keyFile };
    });
  }

  /** Removes a key. The key and all access tokens obtained with it become invalid. Returns whether the key existed. */
  removeKey(email: string, keyId: string): Promise<boolean> {
    return this.#recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const location = [...keysPath(email), keyId];
      if (parseServiceAccountEmail(email) === undefined || records.find(location) === undefined) return false;
      records.write(location, null);
      records.write([...signersPath(email), keyId], null);
      return true;
    });
  }

  /**
   * Disables or enables an account. Keys and tokens of a disabled account are not accepted. Returns whether the account
   * exists.
   */
  setDisabled(email: string, isDisabled: boolean): Promise<boolean> {
    return this.#change(email, { isDisabled });
  }

  /** Replaces the roles of an account. Its access tokens have them immediately. Returns whether the account exists. */
  setRoles(email: string, roles: readonly AdminRole[]): Promise<boolean> {
    return this.#change(email, { roles });
  }

  #change(
    email: string,
    change: Partial<Pick<ServiceAccountRecord, 'roles' | 'isDisabled'>>,
  ): Promise<boolean> {
    return this.#recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const record = findRecord(records, accountPath(email));
      if (record === undefined) return false;
      records.write(accountPath(email), encodeServiceAccount({ ...record, ...change }));
      return true;
    });
  }
}

function accountPath(email: string): RecordPath {
  return ['service-accounts', ...accountSegments(email)];
}

function findRecord(records: RecordView, location: RecordPath): ServiceAccountRecord | undefined {
  const json = records.find(location);
  return json === undefined ? undefined : decodeServiceAccount(json);
}

function listKeys(
  records: RecordView,
  email: string,
): readonly (ServiceAccountKeyRecord & { readonly keyId: string })[] {
  return records
    .list(keysPath(email), { limit: MAX_KEYS })
    .map(({ key, value }) => ({ keyId: key, ...decodeServiceAccountKey(value) }));
}
