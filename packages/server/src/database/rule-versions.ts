import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type KvRead, type KvWrite, prefixRange } from '../kv/store.ts';
import type { Author } from '../log/commit.ts';
import { findRules } from './database-directory.ts';

/** Who published rules. */
export type RulesAuthor =
  | Author
  /** A member of the project. */
  | { readonly kind: 'member'; readonly uid: string }
  /** A file that the server keeps the rules like; `name` is how people know it. */
  | { readonly kind: 'file'; readonly name: string }
  /** They were in force before versions were kept. */
  | { readonly kind: 'unknown' };

/** One publication of rules, without their source. */
export interface RuleVersion {
  /** 1, 2, 3 … within its database, without gaps. */
  readonly id: number;
  /** `null` if it is not known. */
  readonly timeMs: number | null;
  readonly author: RulesAuthor;
  /** Length of the source in UTF-8. */
  readonly bytes: number;
  /** What the author has to say about it. */
  readonly message: string | null;
  /** The version whose source was published again. */
  readonly rolledBackTo: number | null;
}

/** Longest message of a version, in UTF-16 units. */
export const MAX_VERSION_MESSAGE = 1_000;

/** Versions that a database keeps; with one more, the oldest goes. */
export const MAX_RULE_VERSIONS = 100;

/**
 * Versions from the newest on, or from the newest below `before`, at most `limit`. In the table `meta`: JSON under
 * `rule-version/<database>/<id>`, and the source in UTF-8 under `rule-source/<database>/<id>`, so that a list reads no
 * sources; ids have 10 digits there.
 */
export function listVersions(
  tx: KvRead,
  database: string,
  before: number | null,
  limit: number,
): readonly RuleVersion[] {
  const first = findUnrecorded(tx, database);
  if (first !== undefined) return before === null || first.id < before ? [first] : [];
  return listRecords(tx, database, before, limit);
}

/** The version that is in force; `undefined` if no rules were ever published. */
export function findLatestVersion(tx: KvRead, database: string): RuleVersion | undefined {
  const [latest] = listVersions(tx, database, null, 1);
  return latest;
}

/** A version, if it is kept. */
export function findVersion(tx: KvRead, database: string, id: number): RuleVersion | undefined {
  const record = tx.find('meta', versionKey(database, id));
  if (record !== undefined) return decodeVersion(record);
  const first = findUnrecorded(tx, database);
  return first?.id === id ? first : undefined;
}

/** The source of a version, if it is kept. */
export function findVersionSource(tx: KvRead, database: string, id: number): string | undefined {
  const record = tx.find('meta', sourceKey(database, id));
  if (record !== undefined) return record.toString();
  return findUnrecorded(tx, database)?.id === id ? findRules(tx, database) : undefined;
}

/** Keeps one more version, whose source is not in force yet; the oldest may go. */
export function addVersion(
  tx: KvWrite,
  database: string,
  source: string,
  { timeMs, author, message, rolledBackTo }: Omit<RuleVersion, 'id' | 'bytes'>,
): RuleVersion {
  const first = findUnrecorded(tx, database);
  if (first !== undefined) putVersion(tx, database, first, findRules(tx, database) ?? '');
  const id = (findLatestVersion(tx, database)?.id ?? 0) + 1;
  const version = { id, timeMs, author, bytes: Buffer.byteLength(source), message, rolledBackTo };
  putVersion(tx, database, version, source);
  const oldest = id - MAX_RULE_VERSIONS;
  if (oldest > 0) {
    tx.remove('meta', versionKey(database, oldest));
    tx.remove('meta', sourceKey(database, oldest));
  }
  return version;
}

/** Rules that were put in force before versions were kept are the first, and are recorded when there is a second. */
function findUnrecorded(tx: KvRead, database: string): RuleVersion | undefined {
  if (listRecords(tx, database, null, 1).length > 0) return undefined;
  const source = findRules(tx, database);
  if (source === undefined) return undefined;
  const bytes = Buffer.byteLength(source);
  return { id: 1, timeMs: null, author: { kind: 'unknown' }, bytes, message: null, rolledBackTo: null };
}

function listRecords(
  tx: KvRead,
  database: string,
  before: number | null,
  limit: number,
): readonly RuleVersion[] {
  const all = prefixRange(Buffer.from(versionPrefix(database), 'latin1'));
  const range = before === null ? all : { ...all, upper: versionKey(database, before) };
  const versions: RuleVersion[] = [];
  for (const { value } of tx.scan('meta', { ...range, isReversed: true })) {
    versions.push(decodeVersion(value));
    if (versions.length >= limit) break;
  }
  return versions;
}

function putVersion(tx: KvWrite, database: string, version: RuleVersion, source: string): void {
  tx.put('meta', versionKey(database, version.id), Buffer.from(JSON.stringify(version)));
  tx.put('meta', sourceKey(database, version.id), Buffer.from(source));
}

function decodeVersion(record: Buffer): RuleVersion {
  // The bytes were written by `putVersion`.
  return parseJsonText(record.toString()) as unknown as RuleVersion;
}

function versionPrefix(database: string): string {
  return `rule-version/${database}/`;
}

function versionKey(database: string, id: number): Buffer {
  return Buffer.from(versionPrefix(database) + idText(id), 'latin1');
}

function sourceKey(database: string, id: number): Buffer {
  return Buffer.from(`rule-source/${database}/${idText(id)}`, 'latin1');
}

function idText(id: number): string {
  return String(id).padStart(10, '0');
}
