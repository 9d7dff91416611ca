import { must } from '@hearth/core/fault/assert.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { isArrayLikeKeys, priorityJson } from '@hearth/core/tree/node-json.ts';
import { MAX_DEPTH } from '@hearth/core/tree/path.ts';
import { childEntryKey, type NodeId } from '../kv/keys.ts';
import type { KvWrite } from '../kv/store.ts';
import { addBuildTask } from './build-task.ts';
import { completeIndexes, writeChildEntry } from './child-entries.ts';
import {
  blobOf,
  decodeEntry,
  encodeReference,
  HAS_ARRAY,
  HAS_DOTTED,
  HAS_PRIORITY,
  MAX_BLOB_BYTES,
} from './entry.ts';
import { PRIORITY_INDEX } from './index-state.ts';
import { entryValueFor, MAX_BUILT_AT_ONCE, writePriorityEntries } from './index-upkeep.ts';
import {
  canonicalNumberJson,
  canonicalStringJson,
  decodeJsonNumber,
  decodeJsonString,
  mustBeStringLength,
} from './json-scalar.ts';
import type { JsonSink } from './json-scanner.ts';
import { KnownKeys } from './known-keys.ts';
import { type OpenContainer, openContainer } from './open-container.ts';
import { PendingText } from './pending-text.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';

/** What a JSON text has become: nothing, an entry that holds all of it, or a node to which nothing refers yet. */
export type BuiltTree =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'blob'; readonly entry: Buffer }
  | { readonly kind: 'node'; readonly node: NodeId; readonly priority: Priority };

/** What the next value is for: a child, or a special member of the innermost object. */
type Role = 'child' | 'priority' | 'value' | 'server-value';

/** Where a builder stands between two tokens, as JSON. */
export interface BuilderState {
  readonly open: readonly OpenContainer[];
  readonly text: string;
  readonly role: Role;
  readonly placeholderOf: 'priority' | 'value' | null;
  readonly hasPlaceholder: boolean;
  readonly built: SavedTree | null;
}

/** A built tree with its entry in Base64. */
type SavedTree =
  | Exclude<BuiltTree, { readonly kind: 'blob' }>
  | { readonly kind: 'blob'; readonly entry: string };

export interface TreeBuilderOptions {
  /** Where the tree is going to be. */
  readonly path: readonly Key[];
  /** What `{".sv":"timestamp"}` stands for, in ms since 1970. */
  readonly timeMs: number;
  /** Of builders that work one after the other. */
  readonly workspace?: BuilderWorkspace;
}

/** Memory that a builder works with. */
export class BuilderWorkspace {
  readonly text = new PendingText();
  readonly knownKeys = new KnownKeys();
}

/** A transaction, and what its indexes are. Both may be others from one token to the next. */
export interface BuildTarget extends Pick<StoredTree, 'indexesAt'> {
  readonly tx: KvWrite;
}

const COMMA = 0x2c;
const COLON = 0x3a;
const DOT = 0x2e;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LITERAL_TEXTS = { true: Buffer.from('true'), false: Buffer.from('false') } as const;
const CHILD_FLAGS = HAS_DOTTED | HAS_ARRAY;

const START: BuilderState = {
  open: [],
  text: '',
  role: 'child',
  placeholderOf: null,
  hasPlaceholder: false,
  built: null,
};

/**
 * Builds a stored tree from the tokens of JSON text in export form, of any size, in a few KB of memory: what `placeNode`
 * makes of the same tree, under a node that nothing refers to. Refuses what `parseDraft` refuses, increments, and names that
 * come twice in an object.
 *
 * Its containers are text from some level on inwards, and nodes further out. When the outermost that is text grows too
 * large for an entry, it becomes a node too.
 */
export class TreeBuilder implements JsonSink {
  readonly #options: TreeBuilderOptions;
  readonly #open: OpenContainer[];
  readonly #text: PendingText;
  readonly #knownKeys: KnownKeys;
  /** How many of the open containers are nodes: the outer ones. */
  #filledCount: number;
  #role: Role;
  /** The special member whose value is an object with a server value. */
  #placeholderOf: 'priority' | 'value' | null;
  #hasPlaceholder: boolean;
  #built: BuiltTree | undefined;
  #target: BuildTarget | undefined;

  constructor(options: TreeBuilderOptions, state: BuilderState = START) {
    this.#options = options;
    this.#open = [...state.open];
    const { text, knownKeys } = options.workspace ?? new BuilderWorkspace();
    this.#text = text;
    this.#knownKeys = knownKeys;
    text.restart(state.text);
    this.#filledCount = this.#open.filter(({ filled }) => filled !== null).length;
    this.#role = state.role;
    this.#placeholderOf = state.placeholderOf;
    this.#hasPlaceholder = state.hasPlaceholder;
    this.#built = state.built === null ? undefined : restoreTree(state.built);
  }

  /** Where it stands; to be written as JSON at once, because it goes on changing. */
  save(): BuilderState {
    return {
      open: this.#open,
      text: this.#text.text(),
      role: this.#role,
      placeholderOf: this.#placeholderOf,
      hasPlaceholder: this.#hasPlaceholder,
      built: this.#built === undefined ? null : saveTree(this.#built),
    };
  }

  /** Where the following tokens are written. */
  writeTo(target: BuildTarget): void {
    this.#target = target;
  }

  /** The tree, once the text is complete. */
  get built(): BuiltTree | undefined {
    return this.#built;
  }

  /** The nodes that exist by now and belong to nothing; what they contain belongs to them. */
  get loose(): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (const { filled } of this.#open) if (filled !== null) nodes.push(filled.node);
    if (this.#built?.kind === 'node') nodes.push(this.#built.node);
    return nodes;
  }

  beginObject(): void {
    switch (this.#role) {
      case 'child':
        this.#begin(false);
        return;
      case 'priority':
      case 'value':
        this.#placeholderOf = this.#role;
        this.#hasPlaceholder = false;
        return;
      case 'server-value':
        this.#refuseServerValue();
        break;
      default:
        this.#role satisfies never;
    }
  }

  endObject(): void {
    if (this.#placeholderOf === null) {
      this.#end();
      return;
    }
    const role = this.#placeholderOf;
    if (!this.#hasPlaceholder) this.#refuseObjectAs(role);
    this.#placeholderOf = null;
    this.#setSpecial(role, String(this.#options.timeMs));
  }

  beginArray(): void {
    if (this.#role !== 'child') this.#refuseObjectAs(this.#role);
    this.#begin(true);
  }

  endArray(): void {
    this.#end();
  }

  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (isPlain && this.#placeholderOf === null && bytes[start] !== DOT) {
      this.#beginPlain(this.#top, bytes, start, end);
      return;
    }
    const name = decodeJsonString(bytes, start, end, isPlain);
    if (this.#placeholderOf !== null) {
      if (name !== '.sv' || this.#hasPlaceholder) this.#refuseServerValue();
      this.#role = 'server-value';
    } else if (name.charCodeAt(0) === DOT) {
      this.#beginSpecial(this.#top, name);
    } else {
      const container = this.#top;
      this.#beginMember(container, parseKey(name));
      if (container.filled !== null) return;
      this.#separate(container);
      this.#text.appendText(`${JSON.stringify(name)}:`);
    }
  }

  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (this.#role === 'child') {
      if (isPlain) {
        mustBeStringLength(end - start);
        // With its quotes.
        this.#addScalar(bytes, start - 1, end + 1);
      } else {
        const text = canonicalStringJson(bytes, start, end);
        this.#addScalar(text, 0, text.length);
      }
      return;
    }
    if (this.#role === 'server-value') {
      if (decodeJsonString(bytes, start, end, isPlain) !== 'timestamp') this.#refuseServerValue();
      this.#addTimestamp();
      return;
    }
    if (isPlain) mustBeStringLength(end - start);
    this.#setSpecial(
      this.#role,
      isPlain
        ? bytes.toString('utf8', start - 1, end + 1)
        : canonicalStringJson(bytes, start, end).toString(),
    );
  }

  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void {
    if (this.#role === 'server-value') this.#refuseServerValue();
    if (this.#role === 'child' && isSmallInteger) {
      this.#addScalar(bytes, start, end);
      return;
    }
    const source = bytes.toString('latin1', start, end);
    if (this.#role === 'priority' && isSmallInteger) {
      this.#setPriority(Number(source));
    } else if (this.#role === 'child') {
      const text = canonicalNumberJson(source);
      this.#addScalar(text, 0, text.length);
    } else {
      this.#setSpecial(this.#role, canonicalNumberJson(source).toString());
    }
  }

  literal(value: boolean | null): void {
    switch (this.#role) {
      case 'child':
        if (value === null) this.#addNothing();
        else {
          const text = LITERAL_TEXTS[`${value}`];
          this.#addScalar(text, 0, text.length);
        }
        return;
      case 'server-value':
        this.#refuseServerValue();
        break;
      case 'value':
        this.#setSpecial('value', value === null ? '' : String(value));
        return;
      case 'priority':
        if (value !== null) throw new Refusal('priority/invalid');
        this.#setSpecial('priority', 'null');
        return;
      default:
        this.#role satisfies never;
    }
  }

  get #top(): OpenContainer {
    return must(this.#open[this.#open.length - 1], 'a member is in an object');
  }

  get #store(): KvWrite {
    return this.#mustTarget().tx;
  }

  #mustTarget(): BuildTarget {
    return must(this.#target, 'a builder writes to a transaction');
  }

  /** Depth of the innermost open container, counted from the root of the database. */
  get #depth(): number {
    return this.#options.path.length + this.#open.length - 1;
  }

  #begin(isArray: boolean): void {
    const parent = this.#open[this.#open.length - 1];
    let key: Key | null = null;
    if (parent !== undefined) {
      this.#mustHaveRoom();
      this.#beginItem(parent);
      key = parent.memberKey;
    }
    this.#open.push(openContainer(key, isArray, this.#text.length));
    this.#text.appendByte(OPEN_BRACE);
  }

  /** Refuses a child below the last level. */
  #mustHaveRoom(): void {
    if (this.#depth >= MAX_DEPTH) throw new Refusal('path/too-deep');
  }

  /** Begins a member whose name has no escape sequence. */
  #beginPlain(container: OpenContainer, bytes: Buffer, start: number, end: number): void {
    if (container.filled !== null) {
      // Children of large nodes have names of their own.
      this.#beginMember(container, parseKey(bytes.toString('utf8', start, end)));
      return;
    }
    this.#beginMember(container, this.#knownKeys.parse(bytes, start, end));
    this.#separate(container);
    // With its quotes.
    this.#text.append(bytes, start - 1, end + 1);
    this.#text.appendByte(COLON);
  }

  #separate(container: OpenContainer): void {
    if (container.childCount > 0) this.#text.appendByte(COMMA);
  }

  #beginMember(container: OpenContainer, key: Key): void {
    if (container.leafText !== null) this.#refuseBesideLeaf(key);
    this.#mustBeNew(container, key);
    container.hasNames = true;
    container.memberKey = key;
    container.memberStart = this.#text.length;
  }

  /** An item of an array is a child with a decimal key. */
  #beginItem(container: OpenContainer): void {
    if (!container.isArray) return;
    const name = String(container.itemCount);
    container.itemCount += 1;
    container.memberKey = parseKey(name);
    container.memberStart = this.#text.length;
    if (container.filled === null) this.#text.appendText(`${container.childCount > 0 ? ',' : ''}"${name}":`);
  }

  #mustBeNew(container: OpenContainer, key: Key): void {
    const { greatestKey, filled } = container;
    if (greatestKey === null || compareKeys(key, greatestKey) > 0) return;
    const isKnown =
      filled === null
        ? container.children.some((child) => child.key === key)
        : this.#store.find('tree', childEntryKey(filled.node, key)) !== undefined;
    if (isKnown) this.#refuseTwice(key);
  }

  /** A child that is not there: a null, or a container that came out empty. */
  #addNothing(): void {
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
  }

  /** Adds a scalar, whose text is a range of bytes. */
  #addScalar(bytes: Buffer, start: number, end: number): void {
    const parent = this.#open[this.#open.length - 1];
    if (parent !== undefined) {
      this.#mustHaveRoom();
      this.#beginItem(parent);
    }
    this.#addLeaf(parent, bytes, start, end, 0);
  }

  /** Adds a leaf as the child that has begun. */
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
      this.#writeEntry(parent, key, blobOf(flags, bytes, start, end), flags);
      return;
    }
    const valueStart = this.#text.length;
    this.#text.append(bytes, start, end);
    this.#addText(parent, key, valueStart, flags);
  }

  /** Makes nodes of the outermost containers that are text, until what is left is short enough with so much more. */
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
    const place = this.#filledCount;
    const container = must(this.#open[place], 'a container is text');
    const path = [...this.#options.path];
    for (const { key } of this.#open.slice(1, place + 1)) if (key !== null) path.push(key);
    container.filled = {
      node: allocateNodeId(this.#store),
      indexes: this.#mustTarget().indexesAt(path),
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
        blobOf(flags, this.#text.view(valueStart, end), 0, end - valueStart),
        flags,
      );
    this.#cutText(this.#open[place + 1]?.start ?? this.#text.length);
  }

  /** Removes the first bytes of the text, which have become entries. */
  #cutText(bytes: number): void {
    this.#text.dropFront(bytes);
    for (const container of this.#open.slice(this.#filledCount)) {
      container.start -= bytes;
      container.memberStart -= bytes;
      for (const child of container.children) {
        child.start -= bytes;
        child.valueStart -= bytes;
        child.end -= bytes;
      }
    }
  }

  /** `priority` is that of the child; it is read from the entry if it is not given. */
  #writeEntry(parent: OpenContainer, key: Key, entry: Buffer, flags: number, priority?: Priority): void {
    const filled = must(parent.filled, 'entries are children of a node');
    const tx = this.#store;
    if ((flags & HAS_PRIORITY) !== 0 && filled.priorityIndex === 'none') this.#startPriorityIndex(parent);
    const indexes = filled.priorityIndex === 'kept' ? [PRIORITY_INDEX, ...filled.indexes] : filled.indexes;
    const decoded = decodeEntry(entry);
    writeChildEntry(tx, { node: filled.node, indexes }, key, entry, (index) =>
      index.kind === 'priority' && priority !== undefined ? priority : entryValueFor(tx, decoded, index),
    );
    this.#countChild(parent, key);
  }

  /** At the first child that has a priority. */
  #startPriorityIndex({ filled, childCount }: OpenContainer): void {
    if (filled === null) return;
    filled.priorityIndex = childCount < MAX_BUILT_AT_ONCE ? 'kept' : 'later';
    if (filled.priorityIndex === 'kept') writePriorityEntries(this.#store, filled.node);
  }

  #end(): void {
    const container = must(this.#open.pop(), 'what ends has begun');
    const parent = this.#open[this.#open.length - 1];
    this.#role = 'child';
    if (container.leafText !== null) this.#endLeaf(container, parent, container.leafText);
    else if (container.childCount === 0) {
      this.#text.truncate(container.start);
      if (parent === undefined) this.#built = { kind: 'nothing' };
      else this.#dropMember(parent);
    } else if (container.filled === null) this.#endText(container, parent);
    else this.#endNode(container, parent);
  }

  /** An object that stands for a leaf, which is null if `text` is empty. */
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
    if (!container.isSorted) this.#sortChildren(container);
    let flags = container.childFlags;
    if (isArrayLikeKeys(keysOf(container), container.childCount)) flags |= HAS_ARRAY;
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
    const entry = blobOf(flags, this.#text.view(0, this.#text.length), 0, this.#text.length);
    this.#text.truncate(0);
    if (parent === undefined) this.#built = { kind: 'blob', entry };
    else this.#writeEntry(parent, must(container.key, 'a child has a key'), entry, flags, priority);
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
      this.#writeEntry(parent, key, encodeReference(node, priority), flags, priority);
    }
  }

  #sortChildren(container: OpenContainer): void {
    const { children } = container;
    children.sort((a, b) => compareKeys(a.key, b.key));
    const first = container.start + 1;
    const source = Buffer.from(this.#text.view(first, this.#text.length));
    this.#text.truncate(first);
    for (const { start, end } of children) {
      if (this.#text.length > first) this.#text.appendByte(COMMA);
      this.#text.append(source, start - first, end - first);
    }
  }

  #beginSpecial(container: OpenContainer, name: string): void {
    switch (name) {
      case '.priority':
        if (container.priority !== null) this.#refuseTwice(name);
        this.#role = 'priority';
        return;
      case '.value':
      case '.sv':
        if (container.leafText !== null) this.#refuseTwice(name);
        if (container.hasNames) this.#refuseBesideLeaf('a child');
        this.#role = name === '.sv' ? 'server-value' : 'value';
        return;
      default:
        throw new Refusal('value/invalid', `The key "${name}" is not allowed in data.`);
    }
  }

  /** `json` is JSON text; for a value that is null, empty. */
  #setSpecial(role: Role, json: string): void {
    if (role === 'priority') {
      this.#setPriority(decodePriority(json));
      return;
    }
    this.#top.leafText = json;
    this.#role = 'child';
  }

  #setPriority(value: Priority): void {
    this.#top.priority = { value };
    this.#role = 'child';
  }

  #addTimestamp(): void {
    if (this.#placeholderOf === null) this.#setSpecial('value', String(this.#options.timeMs));
    else this.#hasPlaceholder = true;
    this.#role = this.#placeholderOf ?? 'child';
  }

  #refuseTwice(name: string): never {
    throw new Refusal('value/invalid', `The key ${JSON.stringify(name)} comes twice in one object.`);
  }

  #refuseBesideLeaf(name: string): never {
    throw new Refusal(
      'value/invalid',
      `".value" and ".sv" stand alone or beside ".priority", not beside ${JSON.stringify(name)}.`,
    );
  }

  #refuseServerValue(): never {
    throw new Refusal(
      'server-value/unknown',
      'The only server value in data that is stored in parts is {".sv":"timestamp"}.',
    );
  }

  #refuseObjectAs(role: Role): never {
    if (role === 'priority') throw new Refusal('priority/invalid');
    if (role === 'server-value') this.#refuseServerValue();
    throw new Refusal('value/invalid', '".value" holds a boolean, number or string.');
  }
}

function* keysOf({ children }: OpenContainer): Generator<Key> {
  // Numbers come first in key order, so the last key answers for most.
  const last = children[children.length - 1];
  if (last !== undefined) yield last.key;
  for (const { key } of children) yield key;
}

/** A priority from its canonical JSON text. */
function decodePriority(json: string): Priority {
  if (json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) : Number(decodeJsonNumber(json));
}

function saveTree(built: BuiltTree): SavedTree {
  return built.kind === 'blob' ? { kind: 'blob', entry: built.entry.toString('base64') } : built;
}

function restoreTree(saved: SavedTree): BuiltTree {
  return saved.kind === 'blob' ? { kind: 'blob', entry: Buffer.from(saved.entry, 'base64') } : saved;
}
