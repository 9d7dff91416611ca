import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import type { Priority, ServerValue } from '@hearth/core/tree/node.ts';
import { formatPath, type Path, parseWritePath, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { Draft } from '@hearth/core/tree/server-value.ts';

/**
 * Size limits of a write, with the names of Firebase. The official tools choose small limits to keep the load
 * low.
 */
export type WriteSizeLimit = 'tiny' | 'small' | 'medium' | 'large' | 'unlimited';

const MIB = 2 ** 20;

/** Longest body of a write, in bytes. A removal has no limit, because its cost does not depend on its size. */
export const WRITE_SIZE_LIMIT_BYTES: Readonly<Record<WriteSizeLimit, number>> = {
  tiny: 16 * MIB,
  small: 64 * MIB,
  medium: 128 * MIB,
  large: 256 * MIB,
  unlimited: Number.POSITIVE_INFINITY,
};

export function isWriteSizeLimit(value: unknown): value is WriteSizeLimit {
  return typeof value === 'string' && Object.hasOwn(WRITE_SIZE_LIMIT_BYTES, value);
}

export function parseWriteSizeLimit(text: string): WriteSizeLimit {
  switch (text) {
    case 'tiny':
    case 'small':
    case 'medium':
    case 'large':
    case 'unlimited':
      return text;
    default:
      throw new RequestError(
        'http/parameter',
        `The query parameter writeSizeLimit must be ${Object.keys(WRITE_SIZE_LIMIT_BYTES).join(', ')}.`,
      );
  }
}

/** A precondition: the hash that the node at a path must have. `''` requires an absent node. */
export interface ExpectedNode {
  readonly path: Path;
  readonly hash: string;
}

/** Maximum number of paths that one update may change. All of them are authorized in one transaction. */
export const MAX_UPDATE_PATHS = 50_000;

/** A write as requested by the client: checked against the data model, placeholders not yet resolved. */
export type DraftWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly draft: Draft }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** Returns the path that a write replaces. */
export function targetOf({ kind, path }: DraftWrite): WriteTarget {
  return { path, isPriority: kind === 'priority' };
}

/** Returns whether writes only remove nodes. */
export function isRemoval(writes: readonly DraftWrite[]): boolean {
  return writes.every((write) => write.kind === 'node' && write.draft.node === null);
}

/** Parses a write to one path. `json` is a value in export format, or a priority if the target is one. */
export function parseSet(target: WriteTarget, json: unknown): DraftWrite {
  return target.isPriority
    ? { kind: 'priority', path: target.path, priority: parsePriority(json) }
    : { kind: 'node', path: target.path, draft: parseDraft(json, target.path.length) };
}

/**
 * Parses an update: an object of relative paths and values. Each value replaces the node at its path. Throws
 * `value/not-an-object`, `write/too-big` if there are more than `maxPaths`, `path/conflict` if one path is at or
 * above another, and the errors of invalid paths and values. The result is in the order of `compareWrites`: a priority
 * applies to the node that exists after the update.
 */
export function parseUpdate(base: Path, json: unknown, maxPaths = MAX_UPDATE_PATHS): readonly DraftWrite[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new RequestError('value/not-an-object');
  const fields = json as Readonly<Record<string, unknown>>;
  const relativePaths = Object.keys(fields);
  if (relativePaths.length > maxPaths) throw new RequestError('write/too-big');
  const writes = relativePaths.map((relative) => parseSet(pathBelow(base, relative), fields[relative]));
  rejectConflicts(writes);
  return writes.sort(compareWrites);
}

function pathBelow(base: Path, relative: string): WriteTarget {
  const target = parseWritePath(relative);
  if (base.length === 0) return target;
  // The whole path is parsed again because limits and reserved names apply to it.
  const { path } = parseWritePath(formatPath([...base, ...target.path]));
  return { path, isPriority: target.isPriority };
}

/**
 * Compares writes of an update in the order of their execution: removals, then values, then priorities. The
 * outcome therefore does not depend on the order of the members of a JSON object, which the parser may change.
 */
export function compareWrites(a: DraftWrite, b: DraftWrite): number {
  return rankOf(a) - rankOf(b);
}

function rankOf(write: DraftWrite): number {
  if (write.kind === 'priority') return 2;
  return write.draft.node === null ? 0 : 1;
}

interface Taken {
  isWritten: boolean;
  readonly below: Map<string, Taken>;
}

/**
 * Throws `path/conflict` if one path is at or above another. The priority of a node counts as a path below the
 * node, as clients see it.
 */
function rejectConflicts(writes: readonly DraftWrite[]): void {
  if (writes.length < 2) return;
  const root: Taken = { isWritten: false, below: new Map() };
  for (const write of writes) {
    let here = root;
    for (const segment of write.kind === 'priority' ? [...write.path, '.priority'] : write.path) {
      if (here.isWritten) throw new RequestError('path/conflict');
      let next = here.below.get(segment);
      if (next === undefined) {
        next = { isWritten: false, below: new Map() };
        here.below.set(segment, next);
      }
      here = next;
    }
    if (here.isWritten || here.below.size > 0) throw new RequestError('path/conflict');
    here.isWritten = true;
  }
}
