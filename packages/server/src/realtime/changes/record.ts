import { RequestError } from '@hearth/core/error/request-error.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import { type KvRead, type KvWrite, prefixRange } from '../../storage/kv/store.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { DetachedIndexes } from '../../storage/tree/index-catalog.ts';
import { allocateId } from '../../storage/tree/stored-tree.ts';
import { dropKeptTree, type KeptTree } from './kept-tree.ts';

export const CHANGE_KINDS = ['write', 'removal', 'import', 'undo'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Why a change cannot be undone. */
export type FinalReason = 'too-large' | 'displaced' | 'forgotten';

/** A range of sequence numbers of commits, both ends inclusive. */
export type SeqRange = readonly [first: number, last: number];

/**
 * A change that an administrator can undo, as JSON in the table `meta` under `change/<database>/<id>`, with the id in
 * 12 digits. The replaced nodes are in a kept tree; their list is in parts under
 * `change-formers/<database>/<id>/<part>`. Version history: 1, the first.
 */
export interface ChangeRecord {
  readonly v: 1;
  readonly id: number;
  readonly kind: ChangeKind;
  readonly timeMs: number;
  /** The name of the administrator, as in the audit log. */
  readonly author: string;
  /** The first written paths, at most `MAX_NAMED_PATHS`. */
  readonly paths: readonly string[];
  /** Number of written paths. */
  readonly count: number;
  /** The commits of the change. */
  readonly ranges: readonly SeqRange[];
  /** Whether further writes may belong to the change. */
  readonly isOpen: boolean;
  /** Whether the list of replaced nodes has a node at or above every further write. */
  readonly isWhole: boolean;
  /** `null` once nothing is kept. */
  readonly kept: KeptTree | null;
  readonly indexes: DetachedIndexes;
  readonly parts: number;
  /** Bytes of the kept entries. */
  readonly bytes: number;
  /** Whether `bytes` includes the descendants of the kept nodes. */
  readonly isMeasured: boolean;
  readonly final: FinalReason | null;
  /** The change that this one undid. */
  readonly undoes: number | null;
  /** The change that undid this one. */
  readonly undoneBy: number | null;
}

/** The state of one path before a change. `name` is the name of the node in the kept tree. */
export type Former =
  | { readonly kind: 'absent'; readonly path: string }
  | { readonly kind: 'node'; readonly path: string; readonly name: string }
  | { readonly kind: 'priority'; readonly path: string; readonly json: string };

/** Maximum number of changes that are listed per database. */
export const MAX_CHANGES = 1_000;
/** Maximum number of nodes that one change may replace and still be undone. One transaction restores all of them. */
export const MAX_FORMERS = 10_000;
/** Maximum size of the small nodes that one write replaces, in bytes. One transaction copies them. */
export const MAX_COPIED_BYTES = 32 * 2 ** 20;
/** Maximum size of the data that all changes of a database keep, in bytes. */
export const MAX_KEPT_BYTES = 4 * 2 ** 30;
/** How long a change can be undone, in ms: 7 days. */
export const MAX_CHANGE_AGE_MS = 7 * 24 * 3_600_000;
/** Maximum number of paths that a change names. */
export const MAX_NAMED_PATHS = 20;
/** Maximum number of ranges of commits that a change remembers. */
const MAX_RANGES = 1_000;

const ALL = Buffer.from('change/');

function changeKey(database: string, id: number): Buffer {
  return Buffer.from(`change/${database}/${String(id).padStart(12, '0')}`, 'latin1');
}

function changesOf(database: string): Buffer {
  return Buffer.from(`change/${database}/`, 'latin1');
}

function formersKey(database: string, id: number, part?: number): Buffer {
  const end = part === undefined ? '' : String(part).padStart(6, '0');
  return Buffer.from(`change-formers/${database}/${String(id).padStart(12, '0')}/${end}`, 'latin1');
}

export function allocateChangeId(tx: KvWrite, database: string): number {
  return allocateId(tx, Buffer.from(`change-next/${database}`, 'latin1'), 1);
}

/** Decodes a record. Trusts the shape of the text, because the program wrote it, but not its version. */
function decodeChange(bytes: Buffer): ChangeRecord {
  const record: ChangeRecord = JSON.parse(bytes.toString());
  if (record.v !== 1) throw new Error('The change was recorded by a newer version of Hearth.');
  return record;
}

export function findChange(tx: KvRead, database: string, id: number): ChangeRecord | undefined {
  const bytes = tx.find('meta', changeKey(database, id));
  return bytes === undefined ? undefined : decodeChange(bytes);
}

/** Throws `change/unknown`. */
export function requireChange(tx: KvRead, database: string, id: number): ChangeRecord {
  const record = findChange(tx, database, id);
  if (record === undefined) throw new RequestError('change/unknown');
  return record;
}

export function putChange(tx: KvWrite, database: string, record: ChangeRecord): void {
  tx.put('meta', changeKey(database, record.id), Buffer.from(JSON.stringify(record)));
}

/** Yields the changes of a database before an id, latest first. */
export function* readChanges(
  tx: KvRead,
  database: string,
  before = Number.MAX_SAFE_INTEGER,
): Generator<ChangeRecord> {
  const upper = before >= 1e12 ? prefixRange(changesOf(database)).upper : changeKey(database, before);
  const range = { lower: changesOf(database), ...(upper === undefined ? {} : { upper }), isReversed: true };
  for (const { value } of tx.scan('meta', range)) yield decodeChange(value);
}

/** Yields the oldest changes of a database first. */
export function* readOldestChanges(tx: KvRead, database: string): Generator<ChangeRecord> {
  for (const { value } of tx.scan('meta', prefixRange(changesOf(database)))) yield decodeChange(value);
}

export function countChanges(tx: KvRead, database: string): number {
  return tx.count('meta', prefixRange(changesOf(database)), MAX_CHANGES + 1);
}

/** Yields the names of the databases that have changes. */
export function* listChangedDatabases(tx: KvRead): Generator<string> {
  let lower: Buffer = ALL;
  for (;;) {
    const [first] = tx.scan('meta', { ...prefixRange(ALL), lower });
    if (first === undefined) return;
    const name = first.key.toString('latin1').slice(ALL.length, -13);
    yield name;
    lower = prefixRange(changesOf(name)).upper ?? lower;
  }
}

/** Returns the roots of all kept trees. */
export function listKeptTrees(tx: KvRead): readonly NodeId[] {
  const holders: NodeId[] = [];
  for (const { value } of tx.scan('meta', prefixRange(ALL))) {
    const { kept } = decodeChange(value);
    if (kept !== null) holders.push(kept.holder);
  }
  return holders;
}

export function putFormers(
  tx: KvWrite,
  database: string,
  id: number,
  part: number,
  formers: readonly Former[],
): void {
  tx.put('meta', formersKey(database, id, part), Buffer.from(JSON.stringify(formers)));
}

export function readFormers(tx: KvRead, database: string, id: number): readonly Former[] {
  return [...tx.scan('meta', prefixRange(formersKey(database, id)))].flatMap(({ value }): readonly Former[] =>
    JSON.parse(value.toString()),
  );
}

/** Removes the data that a change keeps, and returns the record without it. */
function withoutKept(
  tx: KvWrite,
  database: string,
  record: ChangeRecord,
  outcome: Partial<Pick<ChangeRecord, 'final' | 'undoneBy'>>,
): ChangeRecord {
  if (record.kept !== null) dropKeptTree(tx, record.kept);
  for (const { key } of [...tx.scan('meta', prefixRange(formersKey(database, record.id)))])
    tx.remove('meta', key);
  return { ...record, kept: null, parts: 0, bytes: 0, isMeasured: true, ...outcome };
}

/** Removes the data that a change keeps. The change stays in the list. */
export function releaseChange(
  tx: KvWrite,
  database: string,
  record: ChangeRecord,
  outcome: Partial<Pick<ChangeRecord, 'final' | 'undoneBy'>>,
): void {
  putChange(tx, database, withoutKept(tx, database, record, outcome));
}

/** Removes a change from the list, with the data that it keeps. */
export function removeChange(tx: KvWrite, database: string, record: ChangeRecord): void {
  withoutKept(tx, database, record, {});
  tx.remove('meta', changeKey(database, record.id));
}

/** Returns whether a change can be undone. */
export function isUndoable({ final, undoneBy, kept, isOpen }: ChangeRecord): boolean {
  return final === null && undoneBy === null && kept !== null && !isOpen;
}

/** Adds commits to ranges. Returns `undefined` if there would be too many ranges. */
export function addCommits(
  ranges: readonly SeqRange[],
  commits: readonly Commit[],
): readonly SeqRange[] | undefined {
  const after = [...ranges];
  for (const { seq } of commits) {
    const last = after.at(-1);
    if (last !== undefined && last[1] + 1 === seq) after[after.length - 1] = [last[0], seq];
    else after.push([seq, seq]);
  }
  return after.length > MAX_RANGES ? undefined : after;
}
