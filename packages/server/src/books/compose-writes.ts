import { parseDraft } from '@hearth/core/tree/draft.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { compareWrites, type DraftWrite } from '../database/draft-write.ts';

/** What a change writes at a place: JSON, `undefined` when it removes what is there. */
export interface PlacedWrite {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Makes one update out of writes in their order, of no two the same place. A place that is removed has what is written below
 * it later, and nothing of what was written there earlier. Any other write of a place and of one above it is a bug.
 */
export function composeWrites(writes: readonly PlacedWrite[]): readonly DraftWrite[] {
  const orders = new Map(writes.map(({ path }, order) => [formatPath(path), order]));
  const composed = new Map<PlacedWrite, unknown>();
  for (const [order, write] of writes.entries()) {
    const above = ordersAbove(write.path, orders);
    const removals = above.map((other) => mustBeRemoval(writes[other], write));
    const [top] = removals;
    if (top === undefined) composed.set(write, write.value);
    else if (above.every((other) => other < order))
      composed.set(top, withMember(composed.get(top), write.path.slice(top.path.length), write.value));
  }
  return [...composed]
    .map(([{ path }, value]): DraftWrite => {
      return { kind: 'node', path, draft: parseDraft(value ?? null, path.length) };
    })
    .sort(compareWrites);
}

/** The orders of the writes above a place, that of the topmost first. */
function ordersAbove(path: Path, orders: ReadonlyMap<string, number>): readonly number[] {
  const above: number[] = [];
  for (let length = 1; length < path.length; length += 1) {
    const order = orders.get(formatPath(path.slice(0, length)));
    if (order !== undefined) above.push(order);
  }
  return above;
}

function mustBeRemoval(above: PlacedWrite | undefined, { path }: PlacedWrite): PlacedWrite {
  if (above === undefined || above.value !== undefined)
    throw new Error(`Bug: a change writes ${formatPath(path)} and a place above it.`);
  return above;
}

/** An object with a value at a path within it. */
function withMember(object: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const members = new Map<string, unknown>(
    typeof object === 'object' && object !== null ? Object.entries(object) : [],
  );
  members.set(name, rest.length === 0 ? value : withMember(members.get(name), rest, value));
  // Also a member of the name `__proto__`.
  return Object.fromEntries(members);
}
