import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childOf, type DraftNode, replaceAt } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { joinPaths, type Path, pathOf, type WriteTarget } from '@hearth/core/tree/path.ts';
import { type KvEntry, type KvRange, type KvWrite, MAX_KEY_BYTES } from '../../storage/kv/store.ts';
import { compareWrites, type DraftWrite, parseSet } from './write-input.ts';

/**
 * Keys of the table `sessions`. `session` is the id of a session: printable ASCII, without a terminator.
 *
 * | key | value |
 * |-----------------|------------------------------------------------------------------------------------------|
 * | session 0 | header of the session's queue: `disconnect-queue.ts` |
 * | session 1 location | the write queued for the path: JSON text of a value in export format, or of a priority |
 *
 * `location` is the keys of the path, followed by `.priority` for a priority, in UTF-16LE and separated by U+0000.
 * No key contains U+0000, so the rows below a path are one range.
 */
const HEADER = '\u0000';
const PATH = '\u0001';
const END = '\u0002';

const SEPARATOR = '\u0000';
const PRIORITY = '.priority';

export function queueHeaderKey(sessionId: string): Buffer {
  return Buffer.from(sessionId + HEADER, 'latin1');
}

/** Returns the least key above all keys of a session. */
export function queueEndKey(sessionId: string): Buffer {
  return Buffer.from(sessionId + END, 'latin1');
}

/** Returns the session that a key belongs to. */
export function decodeSessionId(key: Buffer): string {
  const end = key.findIndex((byte) => byte <= 1);
  return key.toString('latin1', 0, end < 0 ? key.length : end);
}

/** Returns the key of a path's row. Throws `path/too-long`. */
function pathKey(sessionId: string, { path, isPriority }: WriteTarget): Buffer {
  const segments: readonly string[] = isPriority ? [...path, PRIORITY] : path;
  const key = Buffer.concat([pathPrefix(sessionId), Buffer.from(segments.join(SEPARATOR), 'utf16le')]);
  if (key.length > MAX_KEY_BYTES) throw new RequestError('path/too-long');
  return key;
}

/** Returns the range of all rows below a path, including the path's own priority. */
function rangeBelow(sessionId: string, path: Path): KvRange {
  const prefix = pathPrefix(sessionId);
  if (path.length === 0) return { lower: prefix, upper: queueEndKey(sessionId) };
  const at = Buffer.concat([prefix, Buffer.from(path.join(SEPARATOR), 'utf16le')]);
  return { lower: Buffer.concat([at, Buffer.of(0, 0)]), upper: Buffer.concat([at, Buffer.of(0, 1)]) };
}

function decodePath(sessionId: string, key: Buffer): WriteTarget {
  const text = key.toString('utf16le', sessionId.length + PATH.length);
  const segments = text === '' ? [] : text.split(SEPARATOR);
  const isPriority = segments.at(-1) === PRIORITY;
  if (isPriority) segments.pop();
  // The keys were validated when they were written.
  return { path: pathOf(segments as Key[]), isPriority };
}

function pathPrefix(sessionId: string): Buffer {
  return Buffer.from(sessionId + PATH, 'latin1');
}

/** The size of a session's queue. */
export interface PendingSize {
  /** Size of keys and values in the store. */
  readonly bytes: number;
  /** Number of queued paths. */
  readonly places: number;
}

/** Maximum number of bytes in one session's queue, including keys. */
const MAX_PENDING_BYTES = 16_777_216;

/** Maximum number of paths in one session's queue. */
export const MAX_PENDING_PATHS = 10_000;

/** A queued value above a path. */
interface ValueAbove {
  readonly path: Path;
  readonly node: DraftNode | null;
}

/**
 * The disconnect queue of a session: the writes that its client has requested for the end of the connection,
 * one row of the store for each path. Below a queued value there are no other rows, not even its priority: they
 * are part of the value.
 *
 * The cost of a request depends on what it touches: one lookup for each path above, the rows at and below the
 * path, and the value that the write becomes part of.
 */
export class PendingWrites {
  readonly #tx: KvWrite;
  readonly #sessionId: string;
  #bytes: number;
  #places: number;
  /** The value under each changed key before the change, by the key's bytes as `latin1`. */
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
   * Queues a write. It replaces all queued writes at its path and below. Below a queued value it becomes part
   * of that value, and so does a priority at the value's path. Throws `write/too-big` or `path/too-long`; the
   * caller must then call `rollback`.
   */
  add(write: DraftWrite): void {
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
   * Removes all queued writes at a path and below. A queued value above the path is split into one value per
   * child if it has children, and its own priority is dropped; a leaf above the path stays. Throws like
   * `add`.
   */
  cancel(path: Path): void {
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

  /** Returns all queued writes as one update, in the order of execution. */
  read(): readonly DraftWrite[] {
    const writes: DraftWrite[] = [];
    for (const { key, value } of this.#tx.scan('sessions', rangeBelow(this.#sessionId, ROOT)))
      writes.push(parseSet(decodePath(this.#sessionId, key), parseJsonText(value.toString())));
    return writes.sort(compareWrites);
  }

  clear(): void {
    this.#removeFrom(ROOT);
  }

  /** Rolls back every change made through this object. */
  rollback(): void {
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
    return pathKey(this.#sessionId, target);
  }

  #putValue(path: Path, node: DraftNode | null): void {
    this.#put(this.#keyOf({ path, isPriority: false }), exportJson(node));
  }

  #put(key: Buffer, json: string): void {
    const value = Buffer.from(json);
    this.#remove(key);
    this.#bytes += key.length + value.length;
    this.#places += 1;
    if (this.#bytes > MAX_PENDING_BYTES || this.#places > MAX_PENDING_PATHS)
      throw new RequestError('write/too-big');
    this.#change(key, undefined);
    this.#tx.put('sessions', key, value);
  }

  #removeFrom(path: Path): void {
    this.#remove(this.#keyOf({ path, isPriority: false }));
    // The whole range is read before rows are removed, because a scan must not overlap with removals.
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
