import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { isArrayIndex, isArrayLikeKeys } from '@hearth/core/tree/node-json.ts';
import type { ExistingData } from '@hearth/core/tree/server-value.ts';
import { copyBytes } from '../kv/buffers.ts';
import type { NodeId } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import type { StoredIndex, StoredTree } from './stored-tree.ts';

/** Throws `value/invalid` for a name that an object already has. */
export function rejectDuplicate(name: string): never {
  throw new RequestError('value/invalid', `Duplicate key ${JSON.stringify(name)} in an object.`);
}

/** Throws `value/invalid` for a member next to the value of a leaf. */
export function rejectBesideLeaf(name: string): never {
  throw new RequestError(
    'value/invalid',
    `".value" and ".sv" can be combined only with ".priority", not with ${JSON.stringify(name)}.`,
  );
}

const SLOTS = 256;
/** Maximum length of a cached name in bytes. Longer names rarely repeat. */
const MAX_BYTES = 32;

interface KnownKey {
  /** A separate copy, because the name is cached for a long time. */
  readonly bytes: Uint8Array;
  readonly key: Key;
}

/**
 * A cache of keys by their bytes, because decoding and validating a key again costs more. Keys in the same slot
 * replace each other.
 */
export class KnownKeys {
  readonly #slots: (KnownKey | undefined)[] = new Array(SLOTS).fill(undefined);

  /** Like `parseKey`, for a name without escape sequences. */
  parse(bytes: Buffer, start: number, end: number): Key {
    const length = end - start;
    if (length === 0 || length > MAX_BYTES) return parseKey(bytes.toString('utf8', start, end));
    const slot = (length * 31 + (bytes[start] ?? 0) * 7 + (bytes[end - 1] ?? 0)) % SLOTS;
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known.bytes, bytes, start, length)) return known.key;
    const key = parseKey(bytes.toString('utf8', start, end));
    this.#slots[slot] = { bytes: new Uint8Array(bytes.subarray(start, end)), key };
    return key;
  }
}

function isSame(known: Uint8Array, bytes: Buffer, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}

const INITIAL_BYTES = 8_192;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * UTF-8 text that grows at its end and can be cut at both ends. Consecutive ranges of another text are copied
 * together in one step.
 */
export class PendingText {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  /** Length of the copied bytes. */
  #length = 0;
  /** The range of another text that follows and has not been copied yet. */
  #source = NOTHING;
  #sourceStart = 0;
  #sourceEnd = 0;

  /** Starts again with the given text, in the same memory. */
  restart(text: string): void {
    this.#length = 0;
    this.#forgetSource();
    this.appendText(text);
  }

  get length(): number {
    return this.#length + this.#sourceEnd - this.#sourceStart;
  }

  appendByte(byte: number): void {
    // If the source text continues with this byte, the range can be extended instead.
    if (this.#source[this.#sourceEnd] === byte) {
      this.#sourceEnd += 1;
      return;
    }
    this.settle();
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** Appends a range of bytes. They must not change until `settle` is called. */
  append(bytes: Buffer, start: number, end: number): void {
    if (bytes !== this.#source || start !== this.#sourceEnd) {
      this.settle();
      this.#source = bytes;
      this.#sourceStart = start;
    }
    this.#sourceEnd = end;
  }

  appendText(text: string): void {
    this.settle();
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#length, 'utf8');
    this.#length += length;
  }

  /** Copies the appended ranges, so that their source may change. */
  settle(): void {
    const start = this.#sourceStart;
    const end = this.#sourceEnd;
    if (start < end) {
      this.#reserve(end - start);
      copyBytes(this.#source, start, end, this.#bytes, this.#length);
      this.#length += end - start;
    }
    this.#forgetSource();
  }

  truncate(length: number): void {
    this.settle();
    this.#length = length;
  }

  dropFront(length: number): void {
    this.settle();
    this.#bytes.copyWithin(0, length, this.#length);
    this.#length -= length;
  }

  /** Returns the bytes of a range. Later appends overwrite them. */
  view(start: number, end: number): Buffer {
    this.settle();
    return this.#bytes.subarray(start, end);
  }

  text(): string {
    this.settle();
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  #forgetSource(): void {
    this.#source = NOTHING;
    this.#sourceStart = 0;
    this.#sourceEnd = 0;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** A child whose text is part of its parent's text. Positions refer to the pending text. */
export interface PendingChild {
  readonly key: Key;
  /** Start of the name. */
  start: number;
  /** Start of the value. */
  valueStart: number;
  end: number;
  readonly flags: number;
}

/**
 * An object or array that has begun but not ended. A small one is text, which becomes part of its parent's
 * text. One that has become too large has a node, and its children are entries under this node. Can be
 * serialized as JSON.
 */
export interface OpenContainer {
  /** Its key in the parent; `null` for the outermost container. */
  readonly key: Key | null;
  readonly isArray: boolean;
  /** Start of its text in the pending text. */
  start: number;
  /** Start of the current member in the pending text, including its comma. */
  memberStart: number;
  memberKey: Key | null;
  /** Whether a child name has been read, even if the child was dropped later. */
  hasNames: boolean;
  /** Array items so far. */
  itemCount: number;
  /** Number of children so far. */
  childCount: number;
  greatestKey: Key | null;
  isSorted: boolean;
  /** Filled only while the container is text. */
  children: PendingChild[];
  /** The flags that the container inherits from its children. */
  childFlags: number;
  priority: { readonly value: Priority } | null;
  /** JSON text of a leaf that is written as an object; empty for a leaf that is null. */
  leafText: string | null;
  /** Set once the container is no longer text. */
  filled: {
    readonly node: NodeId;
    readonly indexes: readonly StoredIndex[];
    /**
     * `none` until a child with a priority appears; afterwards, whether the priority index is maintained
     * immediately or built later.
     */
    priorityIndex: 'none' | 'kept' | 'later';
  } | null;
}

export function openContainer(key: Key | null, isArray: boolean, start: number): OpenContainer {
  return {
    key,
    isArray,
    start,
    memberStart: start,
    memberKey: null,
    hasNames: false,
    itemCount: 0,
    childCount: 0,
    greatestKey: null,
    isSorted: true,
    children: [],
    childFlags: 0,
    priority: null,
    leafText: null,
    filled: null,
  };
}

/** The result of building a tree from JSON text: nothing, one entry with the whole tree, or an unlinked node. */
export type BuiltTree =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'blob'; readonly entry: Buffer }
  | { readonly kind: 'node'; readonly node: NodeId; readonly priority: Priority };

/** The state of a stack between two tokens, as JSON. */
export interface StackState {
  readonly open: readonly OpenContainer[];
  readonly text: string;
  readonly built: SavedTree | null;
}

/** A built tree with its entry in Base64. */
export type SavedTree =
  | Exclude<BuiltTree, { readonly kind: 'blob' }>
  | { readonly kind: 'blob'; readonly entry: string };

export const EMPTY_STACK: StackState = { open: [], text: '', built: null };

/** Reusable memory of a builder. */
export class BuilderWorkspace {
  readonly text = new PendingText();
  readonly knownKeys = new KnownKeys();
}

/** A transaction and the indexes of its tree. Both may change from one token to the next. */
export interface BuildTarget extends Pick<StoredTree, 'indexesAt'> {
  readonly tx: KvWrite;
  /** The tree that increments in the text add to, by absolute paths. Without it, increments are rejected. */
  readonly existing?: ExistingData | undefined;
}

/** Returns whether plain form shows the object as an array. */
export function isShownAsArray({ children }: OpenContainer): boolean {
  // Numbers come first in key order, so checking the last key is usually enough.
  const last = children[children.length - 1];
  if (last === undefined || !isArrayIndex(last.key)) return false;
  return isArrayLikeKeys(
    children.map(({ key }) => key),
    children.length,
  );
}

export function saveTree(built: BuiltTree): SavedTree {
  return built.kind === 'blob' ? { kind: 'blob', entry: built.entry.toString('base64') } : built;
}

export function restoreTree(saved: SavedTree): BuiltTree {
  return saved.kind === 'blob' ? { kind: 'blob', entry: Buffer.from(saved.entry, 'base64') } : saved;
}
