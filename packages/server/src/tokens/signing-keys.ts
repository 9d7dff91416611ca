import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { must } from '@hearth/core/fault/assert.ts';
import type { Books, BookTurn, BookView, Place } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type SecretBox, UnsealFailure } from '../secrets/secret-box.ts';
import { selfSignedCertificate } from './certificate.ts';
import { decodeKeyRecord, encodeKeyRecord, type KeyRecord } from './key-record.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';
import { findCurrent, firstSigningMs, inOrder, isSuccessorDue, outlivedKeys } from './key-schedule.ts';
import { generateRsaKeyPair } from './rsa-key-pair.ts';
import { TOKEN_USES, type TokenUse } from './token-use.ts';

const KEY_ID_BYTES = 20;
const SERIAL_NUMBER_BYTES = 16;

/** Far more than the schedule ever leaves. */
const MAX_KEYS = 1_000;

const DAY_MS = 86_400_000;
/** For verifiers whose clocks are behind. */
const EARLY_MS = DAY_MS;
/** Longer than a key is published, even if the server is stopped for years: rotation is what ends it. */
const CERTIFICATE_MS = 10 * 365 * DAY_MS;

interface OpenKey extends SigningKey {
  readonly signsFromMs: number;
}

type OpenKeys = Readonly<Record<TokenUse, ReadonlyMap<string, OpenKey>>>;

export interface SigningKeysOptions {
  readonly books: Books;
  readonly box: SecretBox;
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** What a rotation did, for logs and the audit. */
export interface Rotation {
  readonly use: TokenUse;
  readonly addedKeyIds: readonly string[];
  readonly removedKeyIds: readonly string[];
}

/**
 * The keys that tokens are signed with, those of each use apart. They are kept in the book of the installation, their
 * private parts sealed, and in memory as long as the server runs.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  #keys: OpenKeys;

  private constructor(options: SigningKeysOptions, keys: OpenKeys) {
    this.#options = options;
    this.#keys = keys;
  }

  /** Opens what is kept, and makes what is missing. Rejects with a `StartFailure` when the secret key does not fit. */
  static async open(options: SigningKeysOptions): Promise<SigningKeys> {
    const keys = new SigningKeys(options, openAll(options));
    await keys.rotateIfDue();
    return keys;
  }

  /** The keys of one use, as they are at each moment. */
  ring(use: TokenUse): KeyRing {
    return {
      use,
      current: () => this.#current(use),
      find: (keyId) => this.#keys[use].get(keyId)?.publicKey,
      published: () => inOrder([...this.#keys[use].values()]),
    };
  }

  /** Publishes successors and removes what has outlived its tokens. To be called every hour or so; usually does nothing. */
  async rotateIfDue(): Promise<readonly Rotation[]> {
    const rotations: Rotation[] = [];
    for (const use of TOKEN_USES) {
      const rotation = await this.#rotateIfDue(use);
      if (rotation !== undefined) rotations.push(rotation);
    }
    return rotations;
  }

  /**
   * Replaces all keys of a use at once, because one has become known: every token of that use is void from now on. Other
   * verifiers learn of it when they ask again, at most `PUBLICATION_AGE_SEC` later.
   */
  async replaceAll(use: TokenUse): Promise<Rotation> {
    const record = await this.#createRecord(use, this.#options.nowMs());
    return this.#options.books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const removed = listRecords(book, use);
      writeRecord(book, use, record);
      for (const { keyId } of removed) book.write(placeOf(use, keyId), null);
      turn.afterwards(() => this.#reopen());
      return { use, addedKeyIds: [record.keyId], removedKeyIds: removed.map(({ keyId }) => keyId) };
    });
  }

  #current(use: TokenUse): SigningKey {
    const keys = [...this.#keys[use].values()];
    return must(findCurrent(keys, this.#options.nowMs()), 'there is a key to sign with');
  }

  async #rotateIfDue(use: TokenUse): Promise<Rotation | undefined> {
    const { books, nowMs } = this.#options;
    const present = [...this.#keys[use].values()];
    const isDue = isSuccessorDue(present, nowMs());
    if (!isDue && outlivedKeys(use, present, nowMs()).length === 0) return undefined;
    const record = isDue ? await this.#createRecord(use, firstSigningMs(present, nowMs())) : undefined;
    return books.change((turn) => {
      const book = turn.book(INSTALLATION);
      const records = listRecords(book, use);
      // Asked again: an emergency may have come between.
      const added = record !== undefined && isSuccessorDue(records, turn.nowMs) ? [record] : [];
      const removed = outlivedKeys(use, [...records, ...added], turn.nowMs);
      for (const one of added) writeRecord(book, use, one);
      for (const { keyId } of removed) book.write(placeOf(use, keyId), null);
      turn.afterwards(() => this.#reopen());
      return {
        use,
        addedKeyIds: added.map(({ keyId }) => keyId),
        removedKeyIds: removed.map(({ keyId }) => keyId),
      };
    });
  }

  async #createRecord(use: TokenUse, signsFromMs: number): Promise<KeyRecord> {
    const { box, nowMs, randomBytes } = this.#options;
    const keyId = Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex');
    const { privateKey, publicKey } = await generateRsaKeyPair();
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

/** What is kept, as keys that can sign; those that are open already are not opened again. */
function openAll({ books, box }: SigningKeysOptions, open?: OpenKeys): OpenKeys {
  const [idToken, sessionCookie] = books.read((view) => {
    const book = view.book(INSTALLATION);
    return [listRecords(book, 'idToken'), listRecords(book, 'sessionCookie')] as const;
  });
  const openRecords = (use: TokenUse, records: readonly KeyRecord[]): ReadonlyMap<string, OpenKey> =>
    new Map(
      records.map((record) => [record.keyId, open?.[use].get(record.keyId) ?? openKey(use, record, box)]),
    );
  return {
    idToken: openRecords('idToken', idToken),
    sessionCookie: openRecords('sessionCookie', sessionCookie),
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

function listRecords(book: BookView, use: TokenUse): readonly KeyRecord[] {
  return book
    .list(['signing-keys', use], { limit: MAX_KEYS })
    .map(({ key, value }) => decodeKeyRecord(key, value));
}

function writeRecord(book: BookTurn, use: TokenUse, record: KeyRecord): void {
  book.write(placeOf(use, record.keyId), encodeKeyRecord(record));
}

function placeOf(use: TokenUse, keyId: string): Place {
  return ['signing-keys', use, keyId];
}

/** Binds a private key to its place, so that a key of one use cannot be moved to another. */
function keyContext(use: TokenUse, keyId: string): string {
  return `signing-key/${use}/${keyId}`;
}
