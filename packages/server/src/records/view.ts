import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { findKeyInteger, isKey, type Key, MAX_KEY_BYTES, parseKey } from '@hearth/core/tree/key.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { KvRead, NotPromise } from '../storage/kv/store.ts';
import { TEXT_OFFSET } from '../storage/tree/entry.ts';
import { JsonWriter, jsonBytes, writeEntry } from '../storage/tree/json-bytes.ts';
import { type ChildRange, readChildren, readContent, type StoredChild } from '../storage/tree/read.ts';
import type { StoredTree } from '../storage/tree/stored-tree.ts';
import type { RecordCache } from './cache.ts';
import type { RecordPath, RecordRow, RecordView, RowRange } from './store.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what keys must not contain.
const RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, for texts that need no change.
const HAS_RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/;

/**
 * Returns the key of a record that is named by arbitrary text. Characters that a key must not contain are
 * percent-encoded, so that the key of a prefix is a prefix of the key. Throws if the text is empty or its key
 * exceeds the length limit of keys.
 */
export function encodeRecordKey(text: string): Key {
  return parseKey(escapeReserved(text));
}

/**
 * Returns the keys of a record path, or `undefined` if one of them would not be a valid key. No record can have
 * such a path.
 */
function findRecordKeys(location: RecordPath): readonly Key[] | undefined {
  // Escaping never makes a text shorter.
  if (location.some((text) => text.length > MAX_KEY_BYTES)) return undefined;
  const keys = location.map(escapeReserved);
  return keys.every(isKey) ? keys : undefined;
}

function escapeReserved(text: string): string {
  return HAS_RESERVED.test(text) ? text.replace(RESERVED, escapeOne) : text;
}

export function decodeRecordKey(key: string): string {
  return key.includes('%') ? decodeURIComponent(key.replace(/%(?![0-9A-F]{2})/g, '%25')) : key;
}

function escapeOne(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * A prefix followed by this character sorts before all longer keys with the prefix. Such a text is never a number;
 * numbers sort apart from other text.
 */
const LEAST = '\u0000';
const GREATEST = '\uffff';

/** A record store as a transaction sees it. */
export class StoredView implements RecordView {
  readonly #tx: KvRead;
  readonly #tree: StoredTree | undefined;

  /** `tree` is the tree of the record store, or `undefined` if the record store has no data yet. */
  constructor(tx: KvRead, tree: StoredTree | undefined) {
    this.#tx = tx;
    this.#tree = tree;
  }

  find(location: RecordPath): unknown {
    const text = this.findText(location);
    return text === undefined ? undefined : parseJsonText(text);
  }

  /** Returns the JSON text of the value that `find` returns. */
  findText(location: RecordPath): string | undefined {
    if (this.#tree === undefined) return undefined;
    const path = findRecordKeys(location);
    if (path === undefined) return undefined;
    const found = readContent(this.#tx, this.#tree, path);
    if (found.kind === 'absent') return undefined;
    // Most records are stored as one entry.
    if (found.kind === 'entry' && found.entry.kind === 'blob')
      return found.entry.bytes.toString('utf8', TEXT_OFFSET);
    return textOf(jsonBytes(this.#tx, this.#tree, path, 'export'));
  }

  list(location: RecordPath, range: RowRange): readonly RecordRow[] {
    return this.#children(location, range)
      .map((child) => ({ key: decodeRecordKey(child.key), value: this.#valueOf(child) }))
      .toArray();
  }

  listKeys(location: RecordPath, range: RowRange): readonly string[] {
    return this.#children(location, range)
      .map(({ key }) => decodeRecordKey(key))
      .toArray();
  }

  #children(location: RecordPath, range: RowRange): IteratorObject<StoredChild> {
    const path = findRecordKeys(location);
    if (this.#tree === undefined || path === undefined || range.limit <= 0) return Iterator.from([]);
    // A prefix that is not a valid key cannot be the beginning of a valid key.
    if (range.prefix && findRecordKeys([range.prefix]) === undefined) return Iterator.from([]);
    const excluded: ReadonlySet<string> = new Set(
      [range.after, range.before].filter((key) => key !== undefined).map(encodeRecordKey),
    );
    return readChildren(this.#tx, this.#tree, path, boundsOf(range))
      .filter(({ key }) => !excluded.has(key))
      .take(range.limit);
  }

  #valueOf(child: StoredChild): unknown {
    if (child.kind === 'inside') return parseJsonText(exportJson(child.node));
    const out = new JsonWriter();
    return parseJsonText(textOf([...writeEntry(this.#tx, child.entry, 'export', out), ...out.end()]));
  }
}

function textOf(pieces: Iterable<Buffer>): string {
  return Buffer.concat([...pieces]).toString();
}

/** Returns whether a key is not empty and sorts as text, not as a whole number. */
function isTextKey(key: string): boolean {
  return key !== '' && findKeyInteger(key) === undefined;
}

function boundsOf({ from, after, before, prefix, isReversed = false }: RowRange): ChildRange {
  if (prefix !== undefined) {
    const key = prefix === '' ? '' : encodeRecordKey(prefix);
    return { from: isTextKey(key) ? key : `${key}${LEAST}`, to: `${key}${GREATEST}`, isReversed };
  }
  const start = from ?? after;
  return {
    ...(start === undefined ? {} : { from: encodeRecordKey(start) }),
    ...(before === undefined ? {} : { to: encodeRecordKey(before) }),
    isReversed,
  };
}

/** The current durable state of a record store. Reads cached records without access to the store. */
export class DurableRecords implements RecordView {
  readonly #name: string;
  readonly #cache: RecordCache;
  readonly #readView: <T>(body: (view: StoredView) => NotPromise<T>) => T;

  /** `readView` reads the record store from the key-value store. */
  constructor(
    name: string,
    cache: RecordCache,
    readView: <T>(body: (view: StoredView) => NotPromise<T>) => T,
  ) {
    this.#name = name;
    this.#cache = cache;
    this.#readView = readView;
  }

  find(location: RecordPath): unknown {
    const known = this.#cache.find(this.#name, location);
    if (known !== undefined) return known.value;
    const text = this.#readView((view) => view.findText(location));
    const value = text === undefined ? undefined : parseJsonText(text);
    this.#cache.cache(this.#name, location, value, text?.length ?? 0);
    return value;
  }

  list(location: RecordPath, range: RowRange): readonly RecordRow[] {
    return this.#readView((view) => view.list(location, range));
  }

  listKeys(location: RecordPath, range: RowRange): readonly string[] {
    return this.#readView((view) => view.listKeys(location, range));
  }
}
