import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type KvRead, type KvWrite, prefixRange } from '../../storage/kv/store.ts';

/** Returns the source of the rules published for a database, or `undefined` if no rules were published. */
export function findRules(tx: KvRead, name: string): string | undefined {
  return tx.find('meta', rulesKey(name))?.toString();
}

export function rulesKey(name: string): Buffer {
  return Buffer.from(`rules/${name}`, 'latin1');
}

/** The rules of a new database in development mode: every client may read and write everything. */
export const OPEN_RULES = `{
  "rules": {
    ".read": true,
    ".write": true
  }
}
`;

/** The rules of a new database in serve mode: only administrators may read and write. */
export const LOCKED_RULES = `{
  "rules": {
    ".read": false,
    ".write": false
  }
}
`;

/** Longest message of a version, in UTF-16 code units. */
export const MAX_VERSION_MESSAGE = 1_000;

/** Maximum number of versions stored for a database. Adding another removes the oldest. */
export const MAX_RULE_VERSIONS = 100;

/**
 * Returns at most `limit` versions, newest first, only those before version `before` unless it is `null`. The table
 * `meta` has the JSON of each version under `rule-version/<database>/<id>`, and its source in UTF-8 under
 * `rule-source/<database>/<id>`, so that a list reads no sources. Ids have 10 digits in these keys.
 */
export function listVersions(
  tx: KvRead,
  database: string,
  before: number | null,
  limit: number,
): readonly RulesVersion[] {
  const first = findUnrecorded(tx, database);
  if (first !== undefined) return before === null || first.id < before ? [first] : [];
  return listRecords(tx, database, before, limit);
}

/** Returns the current version, or `undefined` if no rules were ever published. */
export function findLatestVersion(tx: KvRead, database: string): RulesVersion | undefined {
  const [latest] = listVersions(tx, database, null, 1);
  return latest;
}

/** Returns a version, or `undefined` if it is not stored. */
export function findVersion(tx: KvRead, database: string, id: number): RulesVersion | undefined {
  const record = tx.find('meta', versionKey(database, id));
  if (record !== undefined) return decodeVersion(record);
  const first = findUnrecorded(tx, database);
  return first?.id === id ? first : undefined;
}

/** Returns the source of a version, or `undefined` if it is not stored. */
export function findVersionSource(tx: KvRead, database: string, id: number): string | undefined {
  const record = tx.find('meta', sourceKey(database, id));
  if (record !== undefined) return record.toString();
  return findUnrecorded(tx, database)?.id === id ? findRules(tx, database) : undefined;
}

/** Stores a new version. Its source does not take effect yet. May remove the oldest version. */
export function addVersion(
  tx: KvWrite,
  database: string,
  source: string,
  { timeMs, author, message, rolledBackTo }: Omit<RulesVersion, 'id' | 'bytes'>,
): RulesVersion {
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

/**
 * Returns the version of rules that were published before versions were recorded. They are version 1, and are
 * stored together with version 2.
 */
function findUnrecorded(tx: KvRead, database: string): RulesVersion | undefined {
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
): readonly RulesVersion[] {
  const all = prefixRange(Buffer.from(versionPrefix(database), 'latin1'));
  const range = before === null ? all : { ...all, upper: versionKey(database, before) };
  const versions: RulesVersion[] = [];
  for (const { value } of tx.scan('meta', { ...range, isReversed: true })) {
    versions.push(decodeVersion(value));
    if (versions.length >= limit) break;
  }
  return versions;
}

function putVersion(tx: KvWrite, database: string, version: RulesVersion, source: string): void {
  tx.put('meta', versionKey(database, version.id), Buffer.from(JSON.stringify(version)));
  tx.put('meta', sourceKey(database, version.id), Buffer.from(source));
}

function decodeVersion(record: Buffer): RulesVersion {
  // `putVersion` wrote these bytes.
  return parseJsonText(record.toString()) as unknown as RulesVersion;
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
