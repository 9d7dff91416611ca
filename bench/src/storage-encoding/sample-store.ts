import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { BLOB_FORMS, type BlobForm, type Encoding, type Sample } from './encodings.ts';

/** Resident memory of this process in MiB: all of it, the anonymous part, and the part of mapped files. */
export interface ResidentMemory {
  readonly totalMib: number;
  readonly anonymousMib: number;
  readonly mappedMib: number;
}

/** Reads the figures of the kernel. Linux only. */
export function readResidentMemory(): ResidentMemory {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name: string): number => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status);
    return Math.round(Number(found?.[1] ?? 0) / 1024);
  };
  return { totalMib: field('VmRSS'), anonymousMib: field('RssAnon'), mappedMib: field('RssFile') };
}

/** How the file is opened. If mapped pages exceed `reopenAtMib`, the store closes and reopens it. */
export interface MapOptions {
  readonly name: string;
  readonly remapChunks?: boolean;
  readonly noReadAhead?: boolean;
  readonly pageSize?: number;
  readonly reopenAtMib?: number;
}

export const MAP_OPTIONS: readonly MapOptions[] = [
  { name: 'default' },
  { name: 'remapChunks', remapChunks: true },
  { name: 'noReadAhead', noReadAhead: true },
  { name: 'pageSize 8192', pageSize: 8192 },
  { name: 'reopen at 128 MiB', reopenAtMib: 128 },
];

const BLOB = 0;
const REFERENCE = 1;
const ID_BYTES = 6;
const ROOT_ID = 1;

/**
 * The smallest store that can compare encodings: children of one node, each a blob or a reference to its own
 * entries.
 */
export class SampleStore {
  readonly #directory: string;
  readonly #map: MapOptions;
  readonly #form: BlobForm;
  readonly #boundBytes: number;
  #root: RootDatabase<Uint8Array, Uint8Array>;
  #table: Database<Uint8Array, Uint8Array>;
  #nextId = ROOT_ID + 1;

  constructor(directory: string, encoding: Encoding, map: MapOptions) {
    this.#directory = directory;
    this.#map = map;
    this.#form = BLOB_FORMS[encoding.form];
    this.#boundBytes = encoding.boundBytes;
    [this.#root, this.#table] = openFile(directory, map);
  }

  transact(body: () => void): void {
    this.#root.transactionSync(body);
  }

  /** Writes a new child with its index entry. */
  insert(key: string, sample: Sample, indexed: number | undefined): void {
    const blob = this.#form.encode(sample);
    if (blob.length <= this.#boundBytes) {
      this.#table.putSync(entryKey(ROOT_ID, key), tagged(BLOB, blob));
    } else {
      const id = this.#nextId;
      this.#nextId += 1;
      this.#table.putSync(entryKey(ROOT_ID, key), tagged(REFERENCE, idBytes(id)));
      for (const [field, value] of Object.entries(sample)) {
        this.#table.putSync(entryKey(id, field), tagged(BLOB, Buffer.from(JSON.stringify(value))));
      }
    }
    if (indexed !== undefined) this.#table.putSync(indexKey(indexed, key), new Uint8Array(0));
  }

  /** Replaces one field of a stored child. */
  update(key: string, field: string, value: string): void {
    const at = entryKey(ROOT_ID, key);
    const entry = must(this.#table.getBinaryFast(at));
    if (entry[0] === REFERENCE) {
      this.#table.putSync(entryKey(readId(entry), field), tagged(BLOB, Buffer.from(JSON.stringify(value))));
      return;
    }
    const sample = this.#form.decode(entry.subarray(1, entry.length));
    this.#table.putSync(at, tagged(BLOB, this.#form.encode({ ...sample, [field]: value })));
  }

  /** Returns the JSON and the number of up to `limit` children: from `from` on, or the last ones without `from`. */
  readJson(limit: number, from: string | undefined): { readonly text: string; readonly count: number } {
    const range =
      from === undefined
        ? { start: idBytes(ROOT_ID + 1), end: idBytes(ROOT_ID), reverse: true, limit }
        : { start: entryKey(ROOT_ID, from), end: idBytes(ROOT_ID + 1), limit };
    const parts: string[] = [];
    for (const { key, value } of this.#table.getRange(range)) {
      const name = Buffer.from(key.buffer, key.byteOffset + ID_BYTES, key.length - ID_BYTES).toString('utf8');
      parts.push(
        `"${name}":${value[0] === REFERENCE ? this.#readFields(readId(value)) : this.#form.jsonText(value.subarray(1))}`,
      );
    }
    return { text: `{${parts.join(',')}}`, count: parts.length };
  }

  /** Reopens the file if too many of its pages are mapped. Returns how long this took, in ms. */
  releaseIfLarge(): number {
    const { reopenAtMib } = this.#map;
    if (reopenAtMib === undefined || readResidentMemory().mappedMib < reopenAtMib) return 0;
    const startedMs = performance.now();
    void this.#root.close();
    [this.#root, this.#table] = openFile(this.#directory, this.#map);
    return performance.now() - startedMs;
  }

  fileMib(): number {
    return Math.round(statSync(join(this.#directory, 'data.mdb')).size / 2 ** 20);
  }

  close(): void {
    void this.#root.close();
  }

  #readFields(id: number): string {
    const parts: string[] = [];
    for (const { key, value } of this.#table.getRange({ start: idBytes(id), end: idBytes(id + 1) })) {
      const name = Buffer.from(key.buffer, key.byteOffset + ID_BYTES, key.length - ID_BYTES).toString('utf8');
      parts.push(
        `"${name}":${Buffer.from(value.buffer, value.byteOffset + 1, value.length - 1).toString('utf8')}`,
      );
    }
    return `{${parts.join(',')}}`;
  }
}

function openFile(
  directory: string,
  map: MapOptions,
): [RootDatabase<Uint8Array, Uint8Array>, Database<Uint8Array, Uint8Array>] {
  const { remapChunks = false, noReadAhead = false, pageSize } = map;
  // LMDB's type declarations lack some options, so this must not be an object literal in the call.
  const options = {
    path: directory,
    encoding: 'binary' as const,
    keyEncoding: 'binary' as const,
    cache: false,
    noReadAhead,
    ...(remapChunks ? { remapChunks } : { mapSize: 2 ** 40 }),
    ...(pageSize === undefined ? {} : { pageSize }),
  };
  const root = open<Uint8Array, Uint8Array>(options);
  return [root, root.openDB({ name: 'tree', encoding: 'binary', keyEncoding: 'binary', cache: false })];
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.allocUnsafe(ID_BYTES);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  return bytes;
}

function entryKey(id: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(ID_BYTES + key.length);
  bytes.writeUIntBE(id, 0, ID_BYTES);
  bytes.write(key, ID_BYTES, 'latin1');
  return bytes;
}

function indexKey(value: number, key: string): Buffer {
  const bytes = Buffer.alloc(19 + key.length);
  bytes[0] = 0xff;
  bytes.writeUIntBE(ROOT_ID, 4, ID_BYTES);
  bytes[10] = 3;
  bytes.writeDoubleBE(value, 11);
  bytes.write(key, 19, 'latin1');
  return bytes;
}

function tagged(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([kind]), bytes]);
}

function readId(entry: Uint8Array): number {
  return Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength).readUIntBE(1, ID_BYTES);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a stored sample is missing');
  return value;
}
