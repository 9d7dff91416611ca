import { assert } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childOf, type DraftNode, replaceAt } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { joinPaths, type Path, pathOf, type WriteTarget } from '@hearth/core/tree/path.ts';
import {
  type KvEntry,
  type KvRange,
  type KvRead,
  type KvWrite,
  MAX_KEY_BYTES,
} from '../../storage/kv/store.ts';
import { compareWrites, type DraftWrite, parseSet } from '../database/write-input.ts';

/**
 * Keys of the table `sessions`. `session` is the id of a session: printable ASCII, without a terminator.
 *
 * | key | value |
 * |-----------------|------------------------------------------------------------------------------------------|
 * | session 0 | header of the session's queue: `queue.ts` |
 * | session 1 location | the write queued for the path: 0, the number of its request (6 bytes, big-endian), and   |
 * |                    | JSON text of a value in export format, or of a priority                                  |
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
  /** Number of requests so far. Each has added, replaced or removed writes. */
  readonly requests: number;
}

/** The rest of a request: the rows that no later request has replaced or removed. */
export interface PendingRequest {
  readonly number: number;
  readonly keys: readonly Buffer[];
  /** Size of keys and values. */
  readonly bytes: number;
}

/**
 * Length of the bytes before the JSON text of a row: the byte 0 and the number of the request. A row of version 2 of
 * the header begins with its JSON text; it counts as a request of its own.
 */
const ROW_PREFIX_BYTES = 7;

function encodeRow(request: number, json: string): Buffer {
  const row = Buffer.allocUnsafe(ROW_PREFIX_BYTES + Buffer.byteLength(json));
  row[0] = 0;
  row.writeUIntBE(request, 1, ROW_PREFIX_BYTES - 1);
  row.write(json, ROW_PREFIX_BYTES);
  return row;
}

/** Returns the number of the request that a row belongs to, or `undefined` if the row is of version 2. */
function findRequest(row: Buffer): number | undefined {
  return row[0] === 0 ? row.readUIntBE(1, ROW_PREFIX_BYTES - 1) : undefined;
}

function parseRow(row: Buffer): unknown {
  return parseJsonText(row.toString('utf8', row[0] === 0 ? ROW_PREFIX_BYTES : 0));
}

/** Maximum number of rows that one step of a list reads. */
const MAX_ROWS_READ = 1_000;

/** Size of the rows after which a step of a list ends. */
const MAX_BYTES_READ = 2_097_152;

/** The requests of an ended session. A queue is read in steps, because it may be large. */
export class RequestList {
  readonly #sessionId: string;
  readonly #requests = new Map<number, { number: number; keys: Buffer[]; bytes: number }>();
  #lastKey: Buffer | undefined;
  /** Number of rows of version 2, each of which is a request of its own. */
  #earlier = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Reads further rows. Returns whether all have been read. */
  read(tx: KvRead): boolean {
    const all = rangeBelow(this.#sessionId, ROOT);
    const range = this.#lastKey === undefined ? all : { ...all, lower: this.#lastKey };
    let rows = 0;
    let bytes = 0;
    for (const { key, value } of tx.scan('sessions', range)) {
      if (this.#lastKey?.equals(key) === true) continue;
      if (rows === MAX_ROWS_READ || bytes > MAX_BYTES_READ) return false;
      rows += 1;
      bytes += key.length + value.length;
      this.#lastKey = key;
      this.#add(key, value);
    }
    return true;
  }

  /** The rests of all requests, in their order. */
  get requests(): readonly PendingRequest[] {
    return [...this.#requests.values()].sort((a, b) => a.number - b.number);
  }

  #add(key: Buffer, value: Buffer): void {
    const number = findRequest(value) ?? --this.#earlier;
    const request = this.#requests.get(number) ?? { number, keys: [], bytes: 0 };
    request.keys.push(key);
    request.bytes += key.length + value.length;
    this.#requests.set(number, request);
  }
}

/** Maximum number of bytes in one session's queue, including keys. */
const MAX_PENDING_BYTES = 16_777_216;

/** Maximum number of paths in one session's queue. */
export const MAX_PENDING_PATHS = 2_000;

/** A queued value above a path. */
interface ValueAbove {
  readonly path: Path;
  readonly node: DraftNode | null;
  /** Number of the request that it belongs to. */
  readonly request: number;
}

/**
 * The disconnect queue of a session: the writes that its client has requested for the end of the connection,
 * one row of the store for each path. Below a queued value there are no other rows, not even its priority: they
 * are part of the value. Each object is for one request, to which the rows that it adds belong.
 *
 * The cost of a request depends on what it touches: one lookup for each path above, the rows at and below the
 * path, and the value that the write becomes part of.
 */
export class PendingWrites {
  readonly #tx: KvWrite;
  readonly #sessionId: string;
  /** Number of the current request. */
  readonly #request: number;
  #bytes: number;
  #places: number;
  /** The value under each changed key before the change, by the key's bytes as `latin1`. */
  readonly #before = new Map<string, Buffer | undefined>();
  readonly #sizeBefore: PendingSize;

  constructor(tx: KvWrite, sessionId: string, size: PendingSize) {
    this.#tx = tx;
    this.#sessionId = sessionId;
    this.#sizeBefore = size;
    this.#request = size.requests + 1;
    this.#bytes = size.bytes;
    this.#places = size.places;
  }

  get size(): PendingSize {
    return { bytes: this.#bytes, places: this.#places, requests: this.#request };
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
      if (node !== above.node) this.#putValue(above.path, node, above.request);
      return;
    }
    if (write.kind === 'priority') this.#put(key, priorityJson(write.priority), this.#request);
    else {
      this.#removeFrom(path);
      this.#put(key, exportJson(write.draft.node), this.#request);
    }
  }

  /**
   * Removes all queued writes at a path and below. A queued value above the path is split into one value per
   * child if it has children, and its own priority is dropped; a leaf above the path stays. The new values belong to the
   * request of the divided one. Throws like `add`.
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
        this.#putValue(here, node, above.request);
        return;
      }
      const onTheWay: Key | undefined = path[depth];
      for (const [key, child] of node.children)
        if (key !== onTheWay) this.#putValue(joinPaths(here, [key]), child, above.request);
      node = onTheWay === undefined ? null : childOf(node, onTheWay);
    }
  }

  /** Removes the rest of a request from the queue, and returns it as one update in the order of execution. */
  take({ keys }: PendingRequest): readonly DraftWrite[] {
    const writes: DraftWrite[] = [];
    for (const key of keys) {
      const value = this.#tx.find('sessions', key);
      assert(value !== undefined, 'a request of an ended session stays in its queue');
      writes.push(parseSet(decodePath(this.#sessionId, key), parseRow(value)));
      this.#removeEntry({ key, value });
    }
    return writes.sort(compareWrites);
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
    const write = parseSet({ path, isPriority: false }, parseRow(bytes));
    if (write.kind !== 'node') return undefined;
    return { path, node: write.draft.node, request: findRequest(bytes) ?? this.#request };
  }

  #keyOf(target: WriteTarget): Buffer {
    return pathKey(this.#sessionId, target);
  }

  #putValue(path: Path, node: DraftNode | null, request: number): void {
    this.#put(this.#keyOf({ path, isPriority: false }), exportJson(node), request);
  }

  #put(key: Buffer, json: string, request: number): void {
    const value = encodeRow(request, json);
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
