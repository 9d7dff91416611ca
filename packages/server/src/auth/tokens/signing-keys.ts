import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { must } from '@hearth/core/error/assert.ts';
import { StartFailure } from '../../platform/failures.ts';
import type { Logger } from '../../platform/logger.ts';
import { type SecretBox, UnsealFailure } from '../../platform/secret-box.ts';
import {
  INSTALLATION,
  type RecordPath,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { selfSignedCertificate } from './certificate.ts';
import { TOKEN_USES, type TokenUse } from './id-token.ts';
import { isClaims } from './jwt.ts';
import {
  findCurrent,
  firstSigningMs,
  inOrder,
  isSuccessorDue,
  type KeyRing,
  outlivedKeys,
  type SigningKey,
} from './key-ring.ts';

/**
 * A stored signing key, at `signing-keys/<use>/<key id>` in the records of the installation. Owner:
 * `signing-keys.ts`. History: this is the first format; it stores no version number.
 */
export interface KeyRecord {
  readonly keyId: string;
  /** The private key in PKCS #8 format, encoded as DER and sealed for `keyContext`. */
  readonly sealedPrivateKey: string;
  readonly certificate: string;
  readonly createdAtMs: number;
  /** When the key starts to sign. By then, all verifiers know the key. */
  readonly signsFromMs: number;
}

export type StoredKeyRecord = Omit<KeyRecord, 'keyId'>;

function encodeKeyRecord({ keyId: _, ...stored }: KeyRecord): StoredKeyRecord {
  return stored;
}

/** Throws if the record has another shape. */
function decodeKeyRecord(keyId: string, json: unknown): KeyRecord {
  if (isClaims(json)) {
    const { sealedPrivateKey, certificate, createdAtMs, signsFromMs } = json;
    if (
      typeof sealedPrivateKey === 'string' &&
      typeof certificate === 'string' &&
      typeof createdAtMs === 'number' &&
      typeof signsFromMs === 'number'
    )
      return { keyId, sealedPrivateKey, certificate, createdAtMs, signsFromMs };
  }
  throw new Error(`The record of the signing key ${keyId} cannot be read.`);
}

const MODULUS_BITS = 2_048;

const generate = promisify(generateKeyPair);

export interface RsaKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export type GenerateKeyPair = () => Promise<RsaKeyPair>;

/** Generates an RSA key pair. Takes tens to hundreds of milliseconds in the thread pool. */
export function generateRsaKeyPair(): Promise<RsaKeyPair> {
  return generate('rsa', { modulusLength: MODULUS_BITS });
}

const KEY_ID_BYTES = 20;
const SERIAL_NUMBER_BYTES = 16;

/** Far more keys than the schedule ever needs. */
const MAX_KEYS = 1_000;

const DAY_MS = 86_400_000;
/** How long before its creation the validity of a certificate begins, for verifiers whose clocks are slow. */
const EARLY_MS = DAY_MS;
/**
 * Longer than a key is published, even if the server is stopped for years. Keys end by rotation, not by expiry.
 */
const CERTIFICATE_MS = 10 * 365 * DAY_MS;

interface OpenKey extends SigningKey {
  readonly signsFromMs: number;
}

type OpenKeys = Readonly<Record<TokenUse, ReadonlyMap<string, OpenKey>>>;

export interface SigningKeysOptions {
  readonly recordStore: RecordStore;
  readonly box: SecretBox;
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly generateKeyPair: GenerateKeyPair;
}

/** The result of a rotation. */
export interface Rotation {
  readonly use: TokenUse;
  readonly addedKeyIds: readonly string[];
  readonly removedKeyIds: readonly string[];
}

/**
 * The keys that sign tokens, separate for each use. They are stored in the records of the installation, with
 * sealed private keys, and kept in memory while the server runs.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  #keys: OpenKeys;

  private constructor(options: SigningKeysOptions, keys: OpenKeys) {
    this.#options = options;
    this.#keys = keys;
  }

  /**
   * Opens the stored keys, and creates missing ones. Rejects with a `StartFailure` if the secret key does not
   * match.
   */
  static async open(options: SigningKeysOptions): Promise<SigningKeys> {
    const keys = new SigningKeys(options, openAll(options));
    await keys.rotateIfDue();
    return keys;
  }

  /** Returns the key ring of one use, which always shows the current keys. */
  ring(use: TokenUse): KeyRing {
    return {
      use,
      current: () => this.#current(use),
      find: (keyId) => this.#keys[use].get(keyId)?.publicKey,
      published: () => inOrder([...this.#keys[use].values()]),
    };
  }

  /**
   * Publishes successors, and removes keys whose tokens have all expired. Should be called about every hour;
   * usually does nothing.
   */
  async rotateIfDue(): Promise<readonly Rotation[]> {
    // In parallel, because each key takes a thread up to half a second, and the first start needs one per use.
    const successors = await Promise.all(
      TOKEN_USES.map(async (use) => ({ use, record: await this.#successorIfDue(use) })),
    );
    const rotations: Rotation[] = [];
    for (const { use, record } of successors) {
      const rotation = await this.#rotate(use, record);
      if (rotation !== undefined) rotations.push(rotation);
    }
    return rotations;
  }

  /**
   * Replaces all keys of a use together after a leak. All earlier tokens of that use become invalid. Other
   * verifiers get the new keys with their next fetch, at most `PUBLICATION_AGE_SEC` later.
   */
  async replaceAll(use: TokenUse): Promise<Rotation> {
    const record = await this.#createRecord(use, this.#options.nowMs());
    return this.#options.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const removed = listRecords(records, use);
      writeRecord(records, use, record);
      for (const { keyId } of removed) records.write(locationOf(use, keyId), null);
      transaction.onCommit(() => this.#reopen());
      return { use, addedKeyIds: [record.keyId], removedKeyIds: removed.map(({ keyId }) => keyId) };
    });
  }

  #current(use: TokenUse): SigningKey {
    const keys = [...this.#keys[use].values()];
    return must(findCurrent(keys, this.#options.nowMs()), 'there is a key to sign with');
  }

  async #successorIfDue(use: TokenUse): Promise<KeyRecord | undefined> {
    const { nowMs } = this.#options;
    const present = [...this.#keys[use].values()];
    if (!isSuccessorDue(present, nowMs())) return undefined;
    return this.#createRecord(use, firstSigningMs(present, nowMs()));
  }

  /** Publishes a successor if there is one, and removes outlived keys. */
  async #rotate(use: TokenUse, record: KeyRecord | undefined): Promise<Rotation | undefined> {
    const { recordStore, nowMs } = this.#options;
    const present = [...this.#keys[use].values()];
    if (record === undefined && outlivedKeys(use, present, nowMs()).length === 0) return undefined;
    return recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const entries = listRecords(records, use);
      // Checked again, because an emergency replacement may have happened since.
      const added = record !== undefined && isSuccessorDue(entries, transaction.nowMs) ? [record] : [];
      const removed = outlivedKeys(use, [...entries, ...added], transaction.nowMs);
      for (const one of added) writeRecord(records, use, one);
      for (const { keyId } of removed) records.write(locationOf(use, keyId), null);
      transaction.onCommit(() => this.#reopen());
      return {
        use,
        addedKeyIds: added.map(({ keyId }) => keyId),
        removedKeyIds: removed.map(({ keyId }) => keyId),
      };
    });
  }

  async #createRecord(use: TokenUse, signsFromMs: number): Promise<KeyRecord> {
    const { box, nowMs, randomBytes, generateKeyPair } = this.#options;
    const keyId = Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex');
    const { privateKey, publicKey } = await generateKeyPair();
    const createdAtMs = nowMs();
    const certificate = await selfSignedCertificate({
      name: `hearth ${use}`,
      serialNumber: randomBytes(SERIAL_NUMBER_BYTES),
      privateKey,
      publicKey,
      notBeforeMs: createdAtMs - EARLY_MS,
      notAfterMs: createdAtMs + CERTIFICATE_MS,
    });
    const sealedPrivateKey = box.seal(
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      keyContext(use, keyId),
    );
    return { keyId, sealedPrivateKey, certificate, createdAtMs, signsFromMs };
  }

  #reopen(): void {
    this.#keys = openAll(this.#options, this.#keys);
  }
}

/** Opens the stored keys. Reuses keys that are already open. */
function openAll({ recordStore, box }: SigningKeysOptions, open?: OpenKeys): OpenKeys {
  const openRecords = (use: TokenUse): ReadonlyMap<string, OpenKey> => {
    const entries = recordStore.read((view) => listRecords(view.records(INSTALLATION), use));
    return new Map(
      entries.map((record) => [record.keyId, open?.[use].get(record.keyId) ?? openKey(use, record, box)]),
    );
  };
  return {
    idToken: openRecords('idToken'),
    sessionCookie: openRecords('sessionCookie'),
    appCheck: openRecords('appCheck'),
  };
}

function openKey(use: TokenUse, record: KeyRecord, box: SecretBox): OpenKey {
  const { keyId, certificate, signsFromMs } = record;
  const { publicKey } = new X509Certificate(certificate);
  return { keyId, certificate, signsFromMs, publicKey, privateKey: openPrivateKey(use, record, box) };
}

function openPrivateKey(use: TokenUse, { keyId, sealedPrivateKey }: KeyRecord, box: SecretBox): KeyObject {
  try {
    const bytes = box.open(sealedPrivateKey, keyContext(use, keyId));
    return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  } catch (cause) {
    if (!(cause instanceof UnsealFailure)) throw cause;
    throw new StartFailure(
      'The signing keys in the data directory were sealed under another secret key. Start with the key file, or the HEARTH_SECRET_KEY, that belongs to this data directory.',
      cause,
    );
  }
}

function listRecords(records: RecordView, use: TokenUse): readonly KeyRecord[] {
  return records
    .list(['signing-keys', use], { limit: MAX_KEYS })
    .map(({ key, value }) => decodeKeyRecord(key, value));
}

function writeRecord(records: RecordTransaction, use: TokenUse, record: KeyRecord): void {
  records.write(locationOf(use, record.keyId), encodeKeyRecord(record));
}

function locationOf(use: TokenUse, keyId: string): RecordPath {
  return ['signing-keys', use, keyId];
}

/** Returns the context to which a private key is bound, so that a key of one use cannot be moved to another. */
function keyContext(use: TokenUse, keyId: string): string {
  return `signing-key/${use}/${keyId}`;
}

/** Interval between checks whether a key is due, in ms. */
const INTERVAL_MS = 3_600_000;

/**
 * Replaces signing keys when they are due, until it is disposed of. A failed attempt is repeated an hour later.
 */
export class KeyRotation implements Disposable {
  readonly #timer: NodeJS.Timeout;

  constructor(keys: Pick<SigningKeys, 'rotateIfDue'>, logger: Logger) {
    this.#timer = setInterval(() => void rotate(keys, logger), INTERVAL_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

async function rotate(keys: Pick<SigningKeys, 'rotateIfDue'>, logger: Logger): Promise<void> {
  try {
    for (const { use, addedKeyIds, removedKeyIds } of await keys.rotateIfDue())
      logger.info({ use, addedKeyIds, removedKeyIds }, 'signing keys were replaced');
  } catch (error) {
    logger.error({ err: error }, 'signing keys could not be replaced');
  }
}
