import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { KvRead } from '../kv/store.ts';
import { type ChildRange, readChildren, type StoredChild } from '../tree/children.ts';
import { TEXT_OFFSET } from '../tree/entry.ts';
import { jsonBytes, writeEntry } from '../tree/json-bytes.ts';
import { JsonWriter } from '../tree/json-writer.ts';
import { readPlace } from '../tree/read.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { decodeBookKey, encodeBookKey, findBookKeys } from './book-key.ts';
import type { BookRow, BookView, Place, RowRange } from './books.ts';

/** Sorts behind a prefix and before all that goes on, and looks like no number, which would sort apart. */
const LEAST = '\u0000';
const GREATEST = '\uffff';

/** A book as a transaction sees it. */
export class StoredView implements BookView {
  readonly #tx: KvRead;
  readonly #tree: StoredTree | undefined;

  /** `tree` is that of the book, if there is one. */
  constructor(tx: KvRead, tree: StoredTree | undefined) {
    this.#tx = tx;
    this.#tree = tree;
  }

  find(place: Place): unknown {
    const text = this.findText(place);
    return text === undefined ? undefined : parseJsonText(text);
  }

  /** JSON text of what `find` gives. */
  findText(place: Place): string | undefined {
    if (this.#tree === undefined) return undefined;
    const path = findBookKeys(place);
    if (path === undefined) return undefined;
    const found = readPlace(this.#tx, this.#tree, path);
    if (found.kind === 'absent') return undefined;
    // Most records are one entry.
    if (found.kind === 'entry' && found.entry.kind === 'blob')
      return found.entry.bytes.toString('utf8', TEXT_OFFSET);
    return textOf(jsonBytes(this.#tx, this.#tree, path, 'export'));
  }

  list(place: Place, range: RowRange): readonly BookRow[] {
    return this.#children(place, range)
      .map((child) => ({ key: decodeBookKey(child.key), value: this.#valueOf(child) }))
      .toArray();
  }

  listKeys(place: Place, range: RowRange): readonly string[] {
    return this.#children(place, range)
      .map(({ key }) => decodeBookKey(key))
      .toArray();
  }

  #children(place: Place, range: RowRange): IteratorObject<StoredChild> {
    const path = findBookKeys(place);
    if (this.#tree === undefined || path === undefined || range.limit <= 0) return Iterator.from([]);
    // No key begins with what is no key itself.
    if (range.prefix && findBookKeys([range.prefix]) === undefined) return Iterator.from([]);
    const excluded: ReadonlySet<string> = new Set(
      [range.after, range.before].filter((key) => key !== undefined).map(encodeBookKey),
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

function boundsOf({ from, after, before, prefix, isReversed = false }: RowRange): ChildRange {
  if (prefix !== undefined) {
    const key = prefix === '' ? '' : encodeBookKey(prefix);
    return { from: `${key}${LEAST}`, to: `${key}${GREATEST}`, isReversed };
  }
  const start = from ?? after;
  return {
    ...(start === undefined ? {} : { from: encodeBookKey(start) }),
    ...(before === undefined ? {} : { to: encodeBookKey(before) }),
    isReversed,
  };
}
