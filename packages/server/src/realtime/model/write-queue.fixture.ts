import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import {
  canonicalNumber,
  type DraftNode,
  type Priority,
  replaceAt,
  type ServerValue,
} from '@hearth/core/tree/node.ts';
import { formatPath, isAtOrAbove, joinPaths, type Path, parseWritePath } from '@hearth/core/tree/path.ts';
import { type CommitWrite, writePath } from '../../storage/log/commit.ts';
import type { UpdateFields } from './step.fixture.ts';

/** A write as requested. */
export type ModelWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly node: DraftNode | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** A queued write and the number of its request. */
type QueuedWrite = ModelWrite & { readonly request: number };

/** The disconnect queue of a client as a flat list of paths, implemented literally after the specification. */
export class ModelQueue {
  readonly #writes = new Map<string, QueuedWrite>();
  #request = 0;

  get writes(): readonly ModelWrite[] {
    return [...this.#writes.values()];
  }

  /** The rest of each request, in the order of the requests. */
  get requests(): readonly (readonly ModelWrite[])[] {
    const requests = Map.groupBy(this.#writes.values(), ({ request }) => request);
    return [...requests].toSorted(([a], [b]) => a - b).map(([, writes]) => writes);
  }

  /** Adds the writes of one request. */
  addAll(writes: readonly ModelWrite[]): void {
    this.#request += 1;
    for (const write of writes) this.#add(write);
  }

  #add(write: ModelWrite): void {
    const covering = this.#findCovering(write);
    if (covering !== undefined) {
      this.#put({ ...covering, node: mergeInto(covering.node, write, covering.path.length) });
      return;
    }
    if (write.kind === 'node') this.#removeFrom(write.path);
    this.#put({ ...write, request: this.#request });
  }

  cancel(path: Path): void {
    for (;;) {
      const above = this.#findValue((at) => at.length < path.length && isAtOrAbove(at, path));
      if (above === undefined) break;
      if (above.node?.kind !== 'inner') return;
      this.#writes.delete(keyOf(above));
      for (const [key, node] of above.node.children)
        this.#put({ kind: 'node', path: joinPaths(above.path, [key]), node, request: above.request });
    }
    this.#removeFrom(path);
  }

  #put(write: QueuedWrite): void {
    this.#writes.set(keyOf(write), write);
  }

  #removeFrom(path: Path): void {
    for (const [key, write] of this.#writes) if (isAtOrAbove(path, write.path)) this.#writes.delete(key);
  }

  /** Finds the queued value that a write becomes part of. A priority is part of the value at its own path. */
  #findCovering(write: ModelWrite): (QueuedWrite & { readonly kind: 'node' }) | undefined {
    return this.#findValue(
      (at) => isAtOrAbove(at, write.path) && (write.kind === 'priority' || at.length < write.path.length),
    );
  }

  #findValue(matches: (at: Path) => boolean): (QueuedWrite & { readonly kind: 'node' }) | undefined {
    for (const write of this.#writes.values()) if (write.kind === 'node' && matches(write.path)) return write;
    return undefined;
  }
}

function keyOf(write: ModelWrite): string {
  return write.kind === 'node' ? formatPath(write.path) : `${formatPath(write.path)}/.priority`;
}

function mergeInto(value: DraftNode | null, write: ModelWrite, depth: number): DraftNode | null {
  const relative = write.path.slice(depth);
  if (write.kind === 'node') return replaceAt(value, relative, write.node);
  let target = value;
  for (const key of relative) target = target?.kind === 'inner' ? (target.children.get(key) ?? null) : null;
  return target === null ? value : replaceAt(value, relative, { ...target, priority: write.priority });
}

/** The error of a value or priority that exceeds the number range. */
export class Overflow extends Error {}

export function describeWrite(write: CommitWrite): [path: string, json: string] {
  return [writePath(write), write.kind === 'linked' ? 'linked' : write.json];
}

/** Returns the exact sum if both numbers and the sum are 64-bit integers, and otherwise the sum as doubles. */
export function sum(base: unknown, by: number | bigint): number | bigint {
  if (typeof base !== 'number' && typeof base !== 'bigint') return by;
  if (isInteger(base) && isInteger(by)) {
    const exact = BigInt(base) + BigInt(by);
    if (BigInt.asIntN(64, exact) === exact) return canonicalNumber(exact);
  }
  const double = Number(base) + Number(by);
  if (!Number.isFinite(double)) throw new Overflow();
  return canonicalNumber(double);
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

export function parseWrite(text: string, json: string): ModelWrite {
  const { path, isPriority } = parseWritePath(text);
  const value = parseJsonText(json);
  return isPriority
    ? { kind: 'priority', path, priority: parsePriority(value) }
    : { kind: 'node', path, node: parseDraft(value, path.length).node };
}

export function parseFields(base: string, fields: UpdateFields): readonly ModelWrite[] {
  const writes = fields.map(([relative, json]) => parseWrite(`${base}/${relative}`, json));
  return writes.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the order of execution: removals first, priorities last. */
export function rank(write: ModelWrite): number {
  if (write.kind === 'priority') return 2;
  return write.node === null ? 0 : 1;
}

export function hasConflict(writes: readonly ModelWrite[]): boolean {
  const segmentLists = writes.map((write) => [
    ...write.path,
    ...(write.kind === 'priority' ? ['.priority'] : []),
  ]);
  return segmentLists.some((a, i) =>
    segmentLists.some((b, j) => i !== j && a.every((segment, depth) => segment === b[depth])),
  );
}
