import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { MAX_DEPTH, type Path } from '@hearth/core/tree/path.ts';
import { childEntryKey, type NodeId } from '../../storage/kv/keys.ts';
import { type BuilderState, TreeBuilder } from '../../storage/tree/builder.ts';
import {
  BuilderWorkspace,
  type BuildTarget,
  type BuiltTree,
  rejectDuplicate,
} from '../../storage/tree/builder-state.ts';
import { encodeBlob } from '../../storage/tree/entry.ts';
import type { JsonSink } from '../../storage/tree/json-scanner.ts';
import { decodeJsonString } from '../../storage/tree/json-token.ts';
import { allocateNodeId } from '../../storage/tree/stored-tree.ts';

/** The state of a sink between two tokens, as JSON. */
export interface ChildrenSinkState {
  /** Number of open containers, including the object of all children. */
  readonly depth: number;
  /** This node has an entry for the name of every child so far. */
  readonly names: NodeId | null;
  /** The greatest of these names, in key order. */
  readonly greatest: Key | null;
  readonly child: { readonly key: Key; readonly builder: BuilderState } | null;
}

const START: ChildrenSinkState = { depth: 0, names: null, greatest: null, child: null };
const PRESENT = encodeBlob('true', 0, 4);

/** A complete child of the source. */
export interface BuiltChild {
  readonly key: Key;
  readonly built: BuiltTree;
}

/** Builds the children of one object one after the other, each as a separate tree. */
export class ChildrenSink implements JsonSink {
  readonly #path: Path;
  readonly #timeMs: number;
  #depth: number;
  #names: NodeId | null;
  #greatest: Key | null;
  #child: { readonly key: Key; readonly builder: TreeBuilder } | null = null;
  #complete: BuiltChild[] = [];
  #target: BuildTarget | undefined;
  readonly #workspace = new BuilderWorkspace();

  constructor(path: Path, timeMs: number, state: ChildrenSinkState = START) {
    this.#path = path;
    this.#timeMs = timeMs;
    this.#depth = state.depth;
    this.#names = state.names;
    this.#greatest = state.greatest;
    if (state.child !== null) this.#beginChild(state.child.key, state.child.builder);
  }

  save(): ChildrenSinkState {
    const child = this.#child === null ? null : { key: this.#child.key, builder: this.#child.builder.save() };
    return { depth: this.#depth, names: this.#names, greatest: this.#greatest, child };
  }

  writeTo(target: BuildTarget): void {
    this.#target = target;
    this.#child?.builder.writeTo(target);
  }

  /** Returns the children completed since the last call. */
  takeComplete(): readonly BuiltChild[] {
    const complete = this.#complete;
    this.#complete = [];
    return complete;
  }

  get unreferenced(): readonly NodeId[] {
    const nodes = this.#child === null ? [] : [...this.#child.builder.unreferenced];
    if (this.#names !== null) nodes.push(this.#names);
    return nodes;
  }

  beginObject(): void {
    if (this.#depth > 0) this.#builder.beginObject();
    this.#depth += 1;
  }

  endObject(): void {
    this.#depth -= 1;
    if (this.#depth === 0) return;
    this.#builder.endObject();
    this.#endValue();
  }

  beginArray(): void {
    this.#requireInObject();
    this.#builder.beginArray();
    this.#depth += 1;
  }

  endArray(): void {
    this.#depth -= 1;
    this.#builder.endArray();
    this.#endValue();
  }

  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (this.#depth > 1) this.#builder.name(bytes, start, end, isPlain);
    else this.#beginNamed(decodeJsonString(bytes, start, end, isPlain));
  }

  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    this.#requireInObject();
    this.#builder.string(bytes, start, end, isPlain);
    this.#endValue();
  }

  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void {
    this.#requireInObject();
    this.#builder.number(bytes, start, end, isSmallInteger);
    this.#endValue();
  }

  literal(value: boolean | null): void {
    // `null` has no children to merge.
    if (this.#depth === 0 && value === null) return;
    this.#requireInObject();
    this.#builder.literal(value);
    this.#endValue();
  }

  settle(): void {
    this.#child?.builder.settle();
  }

  get #builder(): TreeBuilder {
    return must(this.#child, 'a value belongs to a child').builder;
  }

  #requireInObject(): void {
    if (this.#depth > 0) return;
    throw new RequestError(
      'value/not-an-object',
      'A merge needs a JSON object: each of its children replaces the child of the same name.',
    );
  }

  #beginNamed(name: string): void {
    if (name === '.priority' || name === '.value' || name === '.sv')
      throw new RequestError(
        'value/invalid',
        `A merge keeps the priority of the target path. Remove "${name}" from the object.`,
      );
    const key = parseKey(name);
    if (this.#path.length >= MAX_DEPTH) throw new RequestError('path/too-deep');
    const { tx } = must(this.#target, 'a sink writes to a transaction');
    this.#names ??= allocateNodeId(tx);
    const nameKey = childEntryKey(this.#names, key);
    const isGreatest = this.#greatest === null || compareKeys(key, this.#greatest) > 0;
    if (isGreatest) this.#greatest = key;
    else if (tx.find('tree', nameKey) !== undefined) rejectDuplicate(name);
    tx.put('tree', nameKey, PRESENT);
    this.#beginChild(key);
  }

  #beginChild(key: Key, state?: BuilderState): void {
    const builder = new TreeBuilder(
      { path: [...this.#path, key], timeMs: this.#timeMs, workspace: this.#workspace },
      state,
    );
    if (this.#target !== undefined) builder.writeTo(this.#target);
    this.#child = { key, builder };
  }

  #endValue(): void {
    if (this.#depth > 1 || this.#child === null) return;
    const { key, builder } = this.#child;
    this.#complete.push({ key, built: must(builder.built, 'the child is complete') });
    this.#child = null;
  }
}
