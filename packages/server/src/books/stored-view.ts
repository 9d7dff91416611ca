import { exportJson } from '@hearth/core/tree/node-json.ts';
import { bookDatabase } from '../database/book-name.ts';
import { findStoredTree } from '../database/database-directory.ts';
import type { KvRead } from '../kv/store.ts';
import { type ChildRange, readChildren, type StoredChild } from '../tree/children.ts';
import { jsonBytes, writeEntry } from '../tree/json-bytes.ts';
import { JsonWriter } from '../tree/json-writer.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { decodeBookKey, encodeBookKey } from './book-key.ts';
import type { BookRow, BookView, Place, RowRange } from './books.ts';

/** Sorts behind a prefix and before all that goes on, and looks like no number, which would sort apart. */
const LEAST = '\u0000';
const GREATEST = '\uffff';

/** A book as a transaction sees it. */
export class StoredView implements BookView {
  readonly #tx: KvRead;
  readonly #tree: StoredTree | undefined;

  constructor(tx: KvRead, book: string) {
    this.#tx = tx;
    this.#tree = findStoredTree(tx, bookDatabase(book));
  }

  find(place: Place): unknown {
    if (this.#tree === undefined) return undefined;
    return parse(jsonBytes(this.#tx, this.#tree, place.map(encodeBookKey), 'export')) ?? undefined;
  }

  list(place: Place, range: RowRange): readonly BookRow[] {
    if (this.#tree === undefined || range.limit <= 0) return [];
    const excluded: ReadonlySet<string> = new Set(
      [range.after, range.before].filter((key) => key !== undefined).map(encodeBookKey),
    );
    return readChildren(this.#tx, this.#tree, place.map(encodeBookKey), boundsOf(range))
      .filter(({ key }) => !excluded.has(key))
      .take(range.limit)
      .map((child) => ({ key: decodeBookKey(child.key), value: this.#valueOf(child) }))
      .toArray();
  }

  #valueOf(child: StoredChild): unknown {
    if (child.kind === 'inside') return JSON.parse(exportJson(child.node));
    const out = new JsonWriter();
    return parse([...writeEntry(this.#tx, child.entry, 'export', out), ...out.end()]);
  }
}

function parse(pieces: Iterable<Buffer>): unknown {
  return JSON.parse(Buffer.concat([...pieces]).toString());
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
