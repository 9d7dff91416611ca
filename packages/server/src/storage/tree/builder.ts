import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import { resolveIncrement, resolvePriority } from '@hearth/core/tree/server-value.ts';
import type { NodeId } from '../kv/keys.ts';
import {
  BuilderWorkspace,
  type BuildTarget,
  type BuiltTree,
  EMPTY_STACK,
  type OpenContainer,
  rejectBesideLeaf,
  rejectDuplicate,
  type StackState,
} from './builder-state.ts';
import { ContainerStack } from './container-stack.ts';
import { JsonScanner, type JsonSink, SCANNER_START, type ScannerState } from './json-scanner.ts';
import {
  canonicalNumberJson,
  canonicalStringJson,
  decodeJsonNumber,
  decodeJsonString,
  requireStringLength,
} from './json-token.ts';

/** The target of the next value: a child, a special member of the innermost object, or the delta of an increment. */
type Role = 'child' | 'priority' | 'value' | 'server-value' | 'increment';

/** The state of a builder between two tokens, as JSON. */
export interface BuilderState {
  readonly stack: StackState;
  readonly role: Role;
  readonly placeholderOf: 'priority' | 'value' | null;
  readonly hasPlaceholder: boolean;
  /** The resolved value of the placeholder, as JSON text; absent for a timestamp. */
  readonly placeholderText?: string;
  /** The object that is the value of `.sv`: `begun` until its only member is complete. Absent outside of it. */
  readonly operation?: 'begun' | 'complete';
}

export interface TreeBuilderOptions {
  /** The future path of the tree. */
  readonly path: readonly Key[];
  /** The value of `{".sv":"timestamp"}`, in ms since 1970. */
  readonly timeMs: number;
  /** Shared by builders that work one after the other. */
  readonly workspace?: BuilderWorkspace;
  /** Receives each key of the outermost object whose value is `null` or empty. */
  readonly onDrop?: (key: Key) => void;
}

const DOT = 0x2e;
const LITERAL_TEXTS = { true: Buffer.from('true'), false: Buffer.from('false') } as const;

const START: BuilderState = {
  stack: EMPTY_STACK,
  role: 'child',
  placeholderOf: null,
  hasPlaceholder: false,
};

/**
 * Builds a stored tree from the tokens of JSON text in export form. The text may have any size; a few KB of memory
 * are enough. The result equals the entries that `placeNode` writes for the same tree, but is not linked to any tree.
 * Throws for input that `parseDraft` rejects, for duplicate names in an object, and for increments unless the target has
 * the existing tree.
 */
export class TreeBuilder implements JsonSink {
  readonly #timeMs: number;
  readonly #stack: ContainerStack;
  #role: Role;
  /** The special member whose value is an object with a server value. */
  #placeholderOf: 'priority' | 'value' | null;
  #hasPlaceholder: boolean;
  #placeholderText: string | undefined;
  #operation: BuilderState['operation'];
  #existing: BuildTarget['existing'];

  constructor({ path, timeMs, workspace, onDrop }: TreeBuilderOptions, state: BuilderState = START) {
    this.#timeMs = timeMs;
    this.#stack = new ContainerStack(path, workspace ?? new BuilderWorkspace(), state.stack, onDrop);
    this.#role = state.role;
    this.#placeholderOf = state.placeholderOf;
    this.#hasPlaceholder = state.hasPlaceholder;
    this.#placeholderText = state.placeholderText;
    this.#operation = state.operation;
  }

  /** Returns the state. Serialize it immediately, because it keeps changing. */
  save(): BuilderState {
    return {
      stack: this.#stack.save(),
      role: this.#role,
      placeholderOf: this.#placeholderOf,
      hasPlaceholder: this.#hasPlaceholder,
      ...(this.#placeholderText === undefined ? {} : { placeholderText: this.#placeholderText }),
      ...(this.#operation === undefined ? {} : { operation: this.#operation }),
    };
  }

  /** Sets the target for the following tokens. */
  writeTo(target: BuildTarget): void {
    this.#existing = target.existing;
    this.#stack.writeTo(target);
  }

  /** The tree, or `undefined` until the text is complete. */
  get built(): BuiltTree | undefined {
    return this.#stack.built;
  }

  /** The nodes that no entry refers to yet. */
  get unreferenced(): readonly NodeId[] {
    return this.#stack.unreferenced;
  }

  beginObject(): void {
    switch (this.#role) {
      case 'child':
        this.#stack.begin(false);
        return;
      case 'priority':
      case 'value':
        this.#placeholderOf = this.#role;
        this.#hasPlaceholder = false;
        this.#placeholderText = undefined;
        return;
      case 'server-value':
        this.#operation = 'begun';
        return;
      case 'increment':
        this.#rejectServerValue();
        break;
      default:
        this.#role satisfies never;
    }
  }

  endObject(): void {
    if (this.#operation !== undefined) {
      if (this.#operation === 'begun') this.#rejectServerValue();
      this.#operation = undefined;
      this.#role = this.#placeholderOf ?? 'child';
      return;
    }
    if (this.#placeholderOf === null) {
      this.#stack.end();
      return;
    }
    const role = this.#placeholderOf;
    if (!this.#hasPlaceholder) this.#rejectObjectAs(role);
    this.#placeholderOf = null;
    this.#setSpecial(role, this.#placeholderText ?? String(this.#timeMs));
  }

  beginArray(): void {
    if (this.#role !== 'child') this.#rejectObjectAs(this.#role);
    this.#stack.begin(true);
  }

  endArray(): void {
    this.#stack.end();
  }

  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (isPlain && this.#placeholderOf === null && bytes[start] !== DOT && this.#operation === undefined) {
      this.#stack.beginPlainMember(bytes, start, end);
      return;
    }
    const name = decodeJsonString(bytes, start, end, isPlain);
    if (this.#operation !== undefined) {
      if (name !== 'increment' || this.#operation === 'complete') this.#rejectServerValue();
      this.#role = 'increment';
    } else if (this.#placeholderOf !== null) {
      if (name !== '.sv' || this.#hasPlaceholder) this.#rejectServerValue();
      this.#role = 'server-value';
    } else if (name.charCodeAt(0) === DOT) {
      this.#beginSpecial(this.#stack.top, name);
    } else {
      this.#stack.beginNamedMember(name);
    }
  }

  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    if (this.#role === 'child') {
      if (isPlain) {
        requireStringLength(end - start);
        // The range includes the quotes.
        this.#stack.addScalar(bytes, start - 1, end + 1);
      } else {
        const text = canonicalStringJson(bytes, start, end);
        this.#stack.addScalar(text, 0, text.length);
      }
      return;
    }
    if (this.#role === 'increment') this.#rejectServerValue();
    if (this.#role === 'server-value') {
      if (decodeJsonString(bytes, start, end, isPlain) !== 'timestamp') this.#rejectServerValue();
      this.#addTimestamp();
      return;
    }
    if (isPlain) requireStringLength(end - start);
    this.#setSpecial(
      this.#role,
      isPlain
        ? bytes.toString('utf8', start - 1, end + 1)
        : canonicalStringJson(bytes, start, end).toString(),
    );
  }

  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void {
    if (this.#role === 'server-value') this.#rejectServerValue();
    if (this.#role === 'increment') {
      this.#addIncrement(decodeJsonNumber(bytes.toString('latin1', start, end)));
      return;
    }
    if (this.#role === 'child' && isSmallInteger) {
      this.#stack.addScalar(bytes, start, end);
      return;
    }
    const source = bytes.toString('latin1', start, end);
    if (this.#role === 'priority' && isSmallInteger) {
      this.#setPriority(Number(source));
    } else if (this.#role === 'child') {
      const text = canonicalNumberJson(source);
      this.#stack.addScalar(text, 0, text.length);
    } else {
      this.#setSpecial(this.#role, canonicalNumberJson(source).toString());
    }
  }

  literal(value: boolean | null): void {
    switch (this.#role) {
      case 'child':
        if (value === null) this.#stack.addNothing();
        else {
          const text = LITERAL_TEXTS[`${value}`];
          this.#stack.addScalar(text, 0, text.length);
        }
        return;
      case 'server-value':
      case 'increment':
        this.#rejectServerValue();
        break;
      case 'value':
        this.#setSpecial('value', value === null ? '' : String(value));
        return;
      case 'priority':
        if (value !== null) throw new RequestError('priority/invalid');
        this.#setSpecial('priority', 'null');
        return;
      default:
        this.#role satisfies never;
    }
  }

  settle(): void {
    this.#stack.settle();
  }

  #beginSpecial(container: OpenContainer, name: string): void {
    switch (name) {
      case '.priority':
        if (container.priority !== null) rejectDuplicate(name);
        this.#role = 'priority';
        return;
      case '.value':
      case '.sv':
        if (container.leafText !== null) rejectDuplicate(name);
        if (container.hasNames) rejectBesideLeaf('a child');
        this.#role = name === '.sv' ? 'server-value' : 'value';
        return;
      default:
        throw new RequestError('value/invalid', `The key "${name}" is not allowed in data.`);
    }
  }

  /** Sets a special member. `json` is JSON text, or empty for a value that is null. */
  #setSpecial(role: Role, json: string): void {
    if (role === 'priority') {
      this.#setPriority(decodePriority(json));
      return;
    }
    this.#stack.top.leafText = json;
    this.#role = 'child';
  }

  #setPriority(value: Priority): void {
    this.#stack.top.priority = { value };
    this.#role = 'child';
  }

  #addTimestamp(): void {
    if (this.#placeholderOf === null) this.#setSpecial('value', String(this.#timeMs));
    else this.#hasPlaceholder = true;
    this.#role = this.#placeholderOf ?? 'child';
  }

  /** Adds the number that an increment results in. */
  #addIncrement(by: number | bigint): void {
    const existing = this.#existing;
    if (existing === undefined)
      throw new RequestError(
        'server-value/unknown',
        'Data that is stored in parts supports only the server value {".sv":"timestamp"}.',
      );
    const path = this.#stack.topPath;
    const text =
      this.#placeholderOf === 'priority'
        ? priorityJson(resolvePriority({ kind: 'increment', by }, 0, () => existing.findPriority(path)))
        : scalarJson(resolveIncrement(by, existing.findValue(path)));
    if (this.#placeholderOf === null) this.#setSpecial('value', text);
    else {
      this.#hasPlaceholder = true;
      this.#placeholderText = text;
    }
    this.#operation = 'complete';
    this.#role = 'increment';
  }

  #rejectServerValue(): never {
    throw new RequestError('server-value/unknown');
  }

  #rejectObjectAs(role: Role): never {
    if (role === 'priority') throw new RequestError('priority/invalid');
    if (role === 'server-value' || role === 'increment') this.#rejectServerValue();
    throw new RequestError('value/invalid', '".value" holds a boolean, number or string.');
  }
}

/** Returns a priority from its canonical JSON text. */
function decodePriority(json: string): Priority {
  if (json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) : Number(decodeJsonNumber(json));
}

/** The state of streaming a JSON text between two of its tokens, as JSON. */
export interface StagedJsonState {
  readonly scanner: ScannerState;
  readonly builder: BuilderState;
}

/** Builds an unlinked stored tree from JSON text that arrives in pieces. */
export class StagedJson {
  readonly #builder: TreeBuilder;
  readonly #scanner: JsonScanner;

  constructor(options: TreeBuilderOptions, state?: StagedJsonState) {
    this.#builder = new TreeBuilder(options, state?.builder);
    this.#scanner = new JsonScanner(this.#builder, state?.scanner ?? SCANNER_START);
  }

  /** Like `JsonScanner.scan`; writes the resulting tree to the target. Throws a `JsonRejection`. */
  scan(target: BuildTarget, bytes: Buffer, isLast: boolean): number {
    this.#builder.writeTo(target);
    return this.#scanner.scan(bytes, isLast);
  }

  /** The resulting tree; absent until the text is complete. */
  get built(): BuiltTree | undefined {
    return this.#builder.built;
  }

  get unreferenced(): readonly NodeId[] {
    return this.#builder.unreferenced;
  }

  /** Returns the state. Serialize it immediately, because parts of it keep changing. */
  save(): StagedJsonState {
    return { scanner: this.#scanner.save(), builder: this.#builder.save() };
  }
}
