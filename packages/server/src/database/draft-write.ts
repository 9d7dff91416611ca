import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import type { Priority, ServerValue } from '@hearth/core/tree/node.ts';
import { formatPath, type Path, parseWritePath, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { Draft } from '@hearth/core/tree/server-value.ts';

/** Most places that one update changes; all of them are decided on in one turn. */
const MAX_UPDATE_PLACES = 50_000;

/** A write as a client asks for it: checked against the data model, placeholders not yet resolved. */
export type DraftWrite =
  | { readonly kind: 'node'; readonly path: Path; readonly draft: Draft }
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority | ServerValue };

/** Reads a set of one place. `json` is a value in export form, or a priority when the target is one. */
export function parseSet(target: WriteTarget, json: unknown): DraftWrite {
  return target.isPriority
    ? { kind: 'priority', path: target.path, priority: parsePriority(json) }
    : { kind: 'node', path: target.path, draft: parseDraft(json, target.path.length) };
}

/**
 * Reads an update: an object of relative paths and values, each of which replaces what stands at its path. Refuses
 * paths of which one is at or above another. The result is in the order of `compareWrites`: a priority belongs to what
 * stands at its place after the update.
 */
export function parseUpdate(base: Path, json: unknown): readonly DraftWrite[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Refusal('value/not-an-object');
  const fields = json as Readonly<Record<string, unknown>>;
  const places = Object.keys(fields);
  if (places.length > MAX_UPDATE_PLACES) throw new Refusal('write/too-big');
  const writes = places.map((relative) => parseSet(placeBelow(base, relative), fields[relative]));
  refuseConflicts(writes);
  return writes.sort(compareWrites);
}

function placeBelow(base: Path, relative: string): WriteTarget {
  const target = parseWritePath(relative);
  if (base.length === 0) return target;
  // Read again as a whole: limits and reserved names are those of the whole path.
  const { path } = parseWritePath(formatPath([...base, ...target.path]));
  return { path, isPriority: target.isPriority };
}

/**
 * The order in which the writes of an update are done: removals, then values, then priorities. So the outcome does not hang
 * on the order of the members of a JSON object, of which some come out of the parser in another order than they were sent.
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

/** The priority of a node counts as a place below it, as clients see it. */
function refuseConflicts(writes: readonly DraftWrite[]): void {
  if (writes.length < 2) return;
  const root: Taken = { isWritten: false, below: new Map() };
  for (const write of writes) {
    let here = root;
    for (const segment of write.kind === 'priority' ? [...write.path, '.priority'] : write.path) {
      if (here.isWritten) throw new Refusal('path/conflict');
      let next = here.below.get(segment);
      if (next === undefined) {
        next = { isWritten: false, below: new Map() };
        here.below.set(segment, next);
      }
      here = next;
    }
    if (here.isWritten || here.below.size > 0) throw new Refusal('path/conflict');
    here.isWritten = true;
  }
}
