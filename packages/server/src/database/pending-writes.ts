import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childOf, type DraftNode, replaceAt } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { joinPaths, type Path, pathOf, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { KvEntry, KvRange, KvWrite } from '../kv/store.ts';
import { compareWrites, type DraftWrite, parseSet } from './draft-write.ts';
import { decodePlace, placeKey, rangeBelow } from './pending-writes-key.ts';

/** How much a session has asked to be written. */
export interface PendingSize {
  /** Of keys and values in the store. */
  readonly bytes: number;
  readonly places: number;
}

/** Most bytes of one session, keys included. */
const MAX_PENDING_BYTES = 16_777_216;

/** Most places of one session. */
export const MAX_PENDING_PLACES = 10_000;

/** A remembered value above a place. */
interface ValueAbove {
  readonly path: Path;
  readonly node: DraftNode | null;
}

/**
 * What the client of a session asked to be written when it disconnects, one row of the store for each place. Below a
 * place that has a value there are no others, its priority included: they are part of the value.
 *
 * A request costs what it touches: a look at each place above, the rows at and below, the value of which it becomes part.
 */
export class PendingWrites {
  readonly #tx: KvWrite;
  readonly #sessionId: string;
  #bytes: number;
  #places: number;
  /** What stood under each key that was changed, by the key's bytes as `latin1`. */
  readonly #before = new Map<string, Buffer | undefined>();
  readonly #sizeBefore: PendingSize;

  constructor(tx: KvWrite, sessionId: string, size: PendingSize) {
    this.#tx = tx;
    this.#sessionId = sessionId;
    this.#sizeBefore = size;
    this.#bytes = size.bytes;
    this.#places = size.places;
  }

  get size(): PendingSize {
    return { bytes: this.#bytes, places: this.#places };
  }

  /**
   * Remembers a write: it replaces what is remembered at its place and below. Below a remembered value it becomes part
   * of that value, and so does the priority of one. Refuses with `write/too-big` or `path/too-long`; the caller then has
   * to `undo`.
   */
  remember(write: DraftWrite): void {
    const { path } = write;
    const key = this.#keyOf({ path, isPriority: write.kind === 'priority' });
    const above =
      this.#findValueAbove(path) ?? (write.kind === 'priority' ? this.#findValue(path) : undefined);
    if (above !== undefined) {
      const node = mergeInto(above.node, write, path.slice(above.path.length));
      if (node !== above.node) this.#putValue(above.path, node);
      return;
    }
    if (write.kind === 'priority') this.#put(key, priorityJson(write.priority));
    else {
      this.#removeFrom(path);
      this.#put(key, exportJson(write.draft.node));
    }
  }

  /**
   * Forgets what is remembered at a place and below. A remembered value above it, if it has children, falls apart into
   * one value for each child, without the value's own priority; a leaf above it stays. Refuses as `remember` does.
   */
  forget(path: Path): void {
    const above = this.#findValueAbove(path);
    if (above === undefined) {
      this.#removeFrom(path);
      return;
    }
    if (above.node?.kind !== 'inner') return;
    this.#remove(this.#keyOf({ path: above.path, isPriority: false }));
    let node: DraftNode | null = above.node;
    for (let depth = above.path.length; depth < path.length && node !== null; depth++) {
      const here = pathOf(path.slice(0, depth));
      if (node.kind === 'leaf') {
        this.#putValue(here, node);
        return;
      }
      const onTheWay: Key | undefined = path[depth];
      for (const [key, child] of node.children)
        if (key !== onTheWay) this.#putValue(joinPaths(here, [key]), child);
      node = onTheWay === undefined ? null : childOf(node, onTheWay);
    }
  }

  /** All that is remembered, as one update, in the order in which it is done. */
  read(): readonly DraftWrite[] {
    const writes: DraftWrite[] = [];
    for (const { key, value } of this.#tx.scan('sessions', rangeBelow(this.#sessionId, ROOT)))
      writes.push(parseSet(decodePlace(this.#sessionId, key), parseJsonText(value.toString())));
    return writes.sort(compareWrites);
  }

  clear(): void {
    this.#removeFrom(ROOT);
  }

  /** Takes back every change made through this object. */
  undo(): void {
    for (const [text, value] of this.#before) {
      const key = Buffer.from(text, 'latin1');
      if (value === undefined) this.#tx.remove('sessions', key);
      else this.#tx.put('sessions', key, value);
    }
    this.#before.clear();
    this.#bytes = this.#sizeBefore.bytes;
    this.#places = this.#sizeBefore.places;
  }

  #findValueAbove(path: Path): ValueAbove | undefined {
    for (let depth = 0; depth < path.length && this.#places > 0; depth++) {
      const found = this.#findValue(pathOf(path.slice(0, depth)));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findValue(path: Path): ValueAbove | undefined {
    const bytes = this.#tx.find('sessions', this.#keyOf({ path, isPriority: false }));
    if (bytes === undefined) return undefined;
    const write = parseSet({ path, isPriority: false }, parseJsonText(bytes.toString()));
    return write.kind === 'node' ? { path, node: write.draft.node } : undefined;
  }

  #keyOf(target: WriteTarget): Buffer {
    return placeKey(this.#sessionId, target);
  }

  #putValue(path: Path, node: DraftNode | null): void {
    this.#put(this.#keyOf({ path, isPriority: false }), exportJson(node));
  }

  #put(key: Buffer, json: string): void {
    const value = Buffer.from(json);
    this.#remove(key);
    this.#bytes += key.length + value.length;
    this.#places += 1;
    if (this.#bytes > MAX_PENDING_BYTES || this.#places > MAX_PENDING_PLACES)
      throw new Refusal('write/too-big');
    this.#change(key, undefined);
    this.#tx.put('sessions', key, value);
  }

  #removeFrom(path: Path): void {
    this.#remove(this.#keyOf({ path, isPriority: false }));
    // The whole range is read first, because removing is no part of the reading.
    const below: KvRange = rangeBelow(this.#sessionId, path);
    for (const entry of [...this.#tx.scan('sessions', below)]) this.#removeEntry(entry);
  }

  #remove(key: Buffer): void {
    const value = this.#tx.find('sessions', key);
    if (value !== undefined) this.#removeEntry({ key, value });
  }

  #removeEntry({ key, value }: KvEntry): void {
    this.#change(key, value);
    this.#tx.remove('sessions', key);
    this.#bytes -= key.length + value.length;
    this.#places -= 1;
  }

  #change(key: Buffer, before: Buffer | undefined): void {
    const text = key.toString('latin1');
    if (!this.#before.has(text)) this.#before.set(text, before);
  }
}

const ROOT = pathOf([]);

function mergeInto(node: DraftNode | null, write: DraftWrite, relative: readonly Key[]): DraftNode | null {
  if (write.kind === 'node') return replaceAt(node, relative, write.draft.node);
  let target = node;
  for (const key of relative) target = childOf(target, key);
  return target === null ? node : replaceAt(node, relative, { ...target, priority: write.priority });
}
