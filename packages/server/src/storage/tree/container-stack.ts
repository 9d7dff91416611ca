import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { priorityJson } from '@hearth/core/tree/node-json.ts';
import { MAX_DEPTH } from '@hearth/core/tree/path.ts';
import { Scratch } from '../kv/buffers.ts';
import { childEntryKey, type NodeId } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import {
  type BuilderWorkspace,
  type BuildTarget,
  type BuiltTree,
  isShownAsArray,
  type KnownKeys,
  type OpenContainer,
  openContainer,
  type PendingText,
  rejectBesideLeaf,
  rejectDuplicate,
  restoreTree,
  type StackState,
  saveTree,
} from './builder-state.ts';
import {
  dropText,
  findIndexValue,
  innermostPath,
  sortChildren,
  startPriorityIndex,
} from './container-text.ts';
import {
  blobOf,
  decodeEntry,
  encodeReference,
  HAS_ARRAY,
  HAS_DOTTED,
  HAS_PRIORITY,
  MAX_BLOB_BYTES,
} from './entry.ts';
import { addBuildTask, entryValueFor, PRIORITY_INDEX } from './index-maintenance.ts';
import { allocateNodeId } from './stored-tree.ts';
import { completeIndexes, writeChildEntry } from './write.ts';

/** Reusable memory for the entries of the next write. */
const ENTRIES = new Scratch();

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CHILD_FLAGS = HAS_DOTTED | HAS_ARRAY;

/**
 * The open objects and arrays of a JSON text, from the outside in. The outer ones are nodes, whose children are
 * written as they end; the inner ones are text. When the outermost text container grows too large for an entry,
 * it becomes a node as well.
 */
export class ContainerStack {
  readonly #path: readonly Key[];
  readonly #open: OpenContainer[];
  readonly #text: PendingText;
  readonly #knownKeys: KnownKeys;
  /** Number of outer containers that are nodes. */
  #filledCount: number;
  #built: BuiltTree | undefined;
  #target: BuildTarget | undefined;
  readonly #onDrop: ((key: Key) => void) | undefined;

  /** `path` is the future path of the outermost container. `onDrop` receives each key of it that has no value. */
  constructor(
    path: readonly Key[],
    { text, knownKeys }: BuilderWorkspace,
    state: StackState,
    onDrop?: (key: Key) => void,
  ) {
    this.#path = path;
    this.#onDrop = onDrop;
    this.#open = [...state.open];
    this.#text = text;
    this.#knownKeys = knownKeys;
    text.restart(state.text);
    this.#filledCount = this.#open.filter(({ filled }) => filled !== null).length;
    this.#built = state.built === null ? undefined : restoreTree(state.built);
  }

  /** Returns the state. Serialize it immediately, because it keeps changing. */
  save(): StackState {
    return {
      open: this.#open,
      text: this.#text.text(),
      built: this.#built === undefined ? null : saveTree(this.#built),
    };
  }

  /** Sets the transaction for all later writes. */
  writeTo(target: BuildTarget): void {
    this.#target = target;
  }

  /** The built tree, or `undefined` until the outermost container has ended. */
  get built(): BuiltTree | undefined {
    return this.#built;
  }

  /** The nodes that no entry refers to yet. */
  get unreferenced(): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (const { filled } of this.#open) if (filled !== null) nodes.push(filled.node);
    if (this.#built?.kind === 'node') nodes.push(this.#built.node);
    return nodes;
  }

  /** The innermost container. */
  get top(): OpenContainer {
    return must(this.#open[this.#open.length - 1], 'a member is in an object');
  }

  get #store(): KvWrite {
    return this.#requireTarget().tx;
  }

  #requireTarget(): BuildTarget {
    return must(this.#target, 'a builder writes to a transaction');
  }

  /** The path of the innermost container. */
  get topPath(): Key[] {
    return innermostPath(this.#path, this.#open);
  }

  /** Depth of the innermost container, counted from the root of the database. */
  get #depth(): number {
    return this.#path.length + this.#open.length - 1;
  }

  /** Begins an object or array as the value of the current child. */
  begin(isArray: boolean): void {
    const parent = this.#open[this.#open.length - 1];
    let key: Key | null = null;
    if (parent !== undefined) {
      this.#requireLevel();
      this.#beginItem(parent);
      key = parent.memberKey;
    }
    this.#open.push(openContainer(key, isArray, this.#text.length));
    this.#text.appendByte(OPEN_BRACE);
  }

  /** Throws `path/too-deep` for a child below the last level. */
  #requireLevel(): void {
    if (this.#depth >= MAX_DEPTH) throw new RequestError('path/too-deep');
  }

  /** Begins a member whose name is a range of bytes without escape sequences. */
  beginPlainMember(bytes: Buffer, start: number, end: number): void {
    const container = this.top;
    if (container.filled !== null) {
      // Children of large nodes usually have unique names, so the cache of names does not help.
      this.#beginMember(container, parseKey(bytes.toString('utf8', start, end)));
      return;
    }
    this.#beginMember(container, this.#knownKeys.parse(bytes, start, end));
    this.#separate(container);
    // The range includes the quotes.
    this.#text.append(bytes, start - 1, end + 1);
    this.#text.appendByte(COLON);
  }

  beginNamedMember(name: string): void {
    const container = this.top;
    this.#beginMember(container, parseKey(name));
    if (container.filled !== null) return;
    this.#separate(container);
    this.#text.appendText(`${JSON.stringify(name)}:`);
  }

  #separate(container: OpenContainer): void {
    if (container.childCount > 0) this.#text.appendByte(COMMA);
  }

  #beginMember(container: OpenContainer, key: Key): void {
    if (container.leafText !== null) rejectBesideLeaf(key);
    this.#assertNew(container, key);
    container.hasNames = true;
    container.memberKey = key;
    container.memberStart = this.#text.length;
  }

  /** Begins an array item, which is a child with a decimal key. */
  #beginItem(container: OpenContainer): void {
    if (!container.isArray) return;
    const name = String(container.itemCount);
    container.itemCount += 1;
    container.memberKey = parseKey(name);
    container.memberStart = this.#text.length;
    if (container.filled === null) this.#text.appendText(`${container.childCount > 0 ? ',' : ''}"${name}":`);
  }

  #assertNew(container: OpenContainer, key: Key): void {
    const { greatestKey, filled } = container;
    if (greatestKey === null || compareKeys(key, greatestKey) > 0) return;
    const isKnown =
      filled === null
        ? container.children.some((child) => child.key === key)
        : this.#store.find('tree', childEntryKey(filled.node, key)) !== undefined;
    if (isKnown) rejectDuplicate(key);
  }

  /** Adds an absent child: a null, or an empty container. */
  addNothing(): void {
    const parent = this.#open[this.#open.length - 1];
    if (parent === undefined) {
      this.#built = { kind: 'nothing' };
      return;
    }
    if (parent.isArray) parent.itemCount += 1;
    else this.#dropMember(parent);
  }

  #dropMember(container: OpenContainer): void {
    if (container.filled === null) this.#text.truncate(container.memberStart);
    if (this.#open.length === 1 && container.memberKey !== null) this.#onDrop?.(container.memberKey);
  }

  /** Copies bytes that were added by reference. Until then, the caller must not change these bytes. */
  settle(): void {
    this.#text.settle();
  }

  /** Adds a scalar whose text is a range of bytes. */
  addScalar(bytes: Buffer, start: number, end: number): void {
    const parent = this.#open[this.#open.length - 1];
    if (parent !== undefined) {
      this.#requireLevel();
      this.#beginItem(parent);
    }
    this.#addLeaf(parent, bytes, start, end, 0);
  }

  /** Adds a leaf as the value of the current child. */
  #addLeaf(
    parent: OpenContainer | undefined,
    bytes: Buffer,
    start: number,
    end: number,
    flags: number,
  ): void {
    if (parent === undefined) {
      this.#built = { kind: 'blob', entry: blobOf(flags, bytes, start, end) };
      return;
    }
    this.#makeRoom(end - start);
    const key = must(parent.memberKey, 'a child has a key');
    if (parent.filled !== null) {
      this.#writeEntry(parent, key, blobOf(flags, bytes, start, end, ENTRIES), flags);
      return;
    }
    const valueStart = this.#text.length;
    this.#text.append(bytes, start, end);
    this.#addText(parent, key, valueStart, flags);
  }

  /**
   * Turns the outermost text containers into nodes until the remaining text, with `moreBytes` more bytes, fits
   * in an entry.
   */
  #makeRoom(moreBytes: number): void {
    while (this.#filledCount < this.#open.length) {
      const closingBytes = this.#open.length - this.#filledCount;
      if (this.#text.length + moreBytes + closingBytes <= MAX_BLOB_BYTES) return;
      this.#fillOutermost();
    }
  }

  #addText(parent: OpenContainer, key: Key, valueStart: number, flags: number): void {
    const start = parent.childCount > 0 ? parent.memberStart + 1 : parent.memberStart;
    parent.children.push({ key, start, valueStart, end: this.#text.length, flags });
    parent.childFlags |= flags & CHILD_FLAGS;
    this.#countChild(parent, key);
  }

  #countChild(parent: OpenContainer, key: Key): void {
    parent.childCount += 1;
    if (parent.greatestKey === null || compareKeys(key, parent.greatestKey) > 0) parent.greatestKey = key;
    else parent.isSorted = false;
  }

  #fillOutermost(): void {
    const index = this.#filledCount;
    const container = must(this.#open[index], 'a container is text');
    const path = innermostPath(this.#path, this.#open.slice(0, index + 1));
    container.filled = {
      node: allocateNodeId(this.#store),
      indexes: this.#requireTarget().indexesAt(path),
      priorityIndex: 'none',
    };
    this.#filledCount += 1;
    const { children } = container;
    container.children = [];
    container.childCount = 0;
    for (const { key, valueStart, end, flags } of children)
      this.#writeEntry(
        container,
        key,
        blobOf(flags, this.#text.view(valueStart, end), 0, end - valueStart, ENTRIES),
        flags,
      );
    const written = this.#open[index + 1]?.start ?? this.#text.length;
    dropText(this.#open.slice(this.#filledCount), this.#text, written);
  }

  /**
   * Writes an entry as a child of a node. `child` is the container that became the entry, if it was a
   * container.
   */
  #writeEntry(parent: OpenContainer, key: Key, entry: Buffer, flags: number, child?: OpenContainer): void {
    const filled = must(parent.filled, 'entries are children of a node');
    const tx = this.#store;
    if ((flags & HAS_PRIORITY) !== 0 && filled.priorityIndex === 'none') startPriorityIndex(tx, parent);
    const indexes = filled.priorityIndex === 'kept' ? [PRIORITY_INDEX, ...filled.indexes] : filled.indexes;
    writeChildEntry(tx, { node: filled.node, indexes }, key, entry, (index) => {
      const known = child === undefined ? undefined : findIndexValue(child, this.#text, index);
      return known === undefined ? entryValueFor(tx, decodeEntry(entry), index) : known;
    });
    this.#countChild(parent, key);
  }

  /** Ends the innermost object or array. */
  end(): void {
    const container = must(this.#open.pop(), 'an open container');
    const parent = this.#open[this.#open.length - 1];
    if (container.leafText !== null) this.#endLeaf(container, parent, container.leafText);
    else if (container.childCount === 0) {
      this.#text.truncate(container.start);
      if (parent === undefined) this.#built = { kind: 'nothing' };
      else this.#dropMember(parent);
    } else if (container.filled === null) this.#endText(container, parent);
    else this.#endNode(container, parent);
  }

  /** Ends an object that represents a leaf. An empty `text` means null. */
  #endLeaf(container: OpenContainer, parent: OpenContainer | undefined, text: string): void {
    this.#text.truncate(container.start);
    if (text === '') {
      if (parent === undefined) this.#built = { kind: 'nothing' };
      else this.#dropMember(parent);
      return;
    }
    const priority = container.priority?.value ?? null;
    const json = Buffer.from(
      priority === null ? text : `{".value":${text},".priority":${priorityJson(priority)}}`,
    );
    this.#addLeaf(parent, json, 0, json.length, priority === null ? 0 : HAS_PRIORITY | HAS_DOTTED);
  }

  #endText(container: OpenContainer, parent: OpenContainer | undefined): void {
    if (!container.isSorted) sortChildren(container, this.#text);
    let flags = container.childFlags;
    if (isShownAsArray(container)) flags |= HAS_ARRAY;
    const priority = container.priority?.value ?? null;
    if (priority !== null) {
      flags |= HAS_PRIORITY | HAS_DOTTED;
      this.#text.appendText(`,".priority":${priorityJson(priority)}`);
    }
    this.#text.appendByte(CLOSE_BRACE);
    if (parent !== undefined && parent.filled === null) {
      this.#addText(parent, must(container.key, 'a child has a key'), container.start, flags);
      this.#makeRoom(0);
      return;
    }
    const { length } = this.#text;
    const text = this.#text.view(0, length);
    if (parent === undefined) this.#built = { kind: 'blob', entry: blobOf(flags, text, 0, length) };
    else {
      const entry = blobOf(flags, text, 0, length, ENTRIES);
      this.#writeEntry(parent, must(container.key, 'a child has a key'), entry, flags, container);
    }
    this.#text.truncate(0);
  }

  #endNode(container: OpenContainer, parent: OpenContainer | undefined): void {
    const filled = must(container.filled, 'the container is a node');
    const { node, indexes, priorityIndex } = filled;
    const tx = this.#store;
    this.#filledCount -= 1;
    completeIndexes(tx, { node, indexes: priorityIndex === 'kept' ? [PRIORITY_INDEX, ...indexes] : indexes });
    if (priorityIndex === 'later') addBuildTask(tx, node, PRIORITY_INDEX);
    const priority = container.priority?.value ?? null;
    if (parent === undefined) this.#built = { kind: 'node', node, priority };
    else {
      const key = must(container.key, 'a child has a key');
      const flags = priority === null ? 0 : HAS_PRIORITY;
      this.#writeEntry(parent, key, encodeReference(node, priority), flags, container);
    }
  }
}
