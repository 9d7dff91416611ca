import { type DraftNode, type Priority, replaceAt, type ServerValue } from '@hearth/core/tree/node.ts';
import { formatPath, isAtOrAbove, joinPaths, type Path } from '@hearth/core/tree/path.ts';

/** A write as it is asked for. */
export type ModelWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly node: DraftNode | null }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** What a client left to be written, as a flat list of places: the specification's sentences, one after the other. */
export class ModelQueue {
  readonly #writes = new Map<string, ModelWrite>();

  get writes(): readonly ModelWrite[] {
    return [...this.#writes.values()];
  }

  remember(write: ModelWrite): void {
    const covering = this.#findCovering(write);
    if (covering !== undefined) {
      this.#put({ ...covering, node: mergeInto(covering.node, write, covering.path.length) });
      return;
    }
    if (write.kind === 'node') this.#removeFrom(write.path);
    this.#put(write);
  }

  forget(path: Path): void {
    for (;;) {
      const above = this.#findValue((at) => at.length < path.length && isAtOrAbove(at, path));
      if (above === undefined) break;
      if (above.node?.kind !== 'inner') return;
      this.#writes.delete(keyOf(above));
      for (const [key, node] of above.node.children)
        this.#put({ kind: 'node', path: joinPaths(above.path, [key]), node });
    }
    this.#removeFrom(path);
  }

  #put(write: ModelWrite): void {
    this.#writes.set(keyOf(write), write);
  }

  #removeFrom(path: Path): void {
    for (const [key, write] of this.#writes) if (isAtOrAbove(path, write.path)) this.#writes.delete(key);
  }

  /** The remembered value of which a write becomes part. A priority is part of the value at its own place. */
  #findCovering(write: ModelWrite): (ModelWrite & { readonly kind: 'node' }) | undefined {
    return this.#findValue(
      (at) => isAtOrAbove(at, write.path) && (write.kind === 'priority' || at.length < write.path.length),
    );
  }

  #findValue(isMeant: (at: Path) => boolean): (ModelWrite & { readonly kind: 'node' }) | undefined {
    for (const write of this.#writes.values()) if (write.kind === 'node' && isMeant(write.path)) return write;
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
