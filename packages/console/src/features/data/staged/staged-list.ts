import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isEqualNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { NodeText } from '../../../server/data-nodes.ts';
import type { NodePath } from '../model/node-path.ts';

/** Places that are staged at a time: as many as the server compares at once. */
export const MAX_STAGED = 1_000;
/** Letters of what stood at all staged places and is to stand there, together: what browsers keep for a page. */
export const MAX_STAGED_UNITS = 2 ** 21;

/** A place where another node is to stand. */
export interface StagedPlace {
  readonly path: NodePath;
  /** What stood there when it was staged. */
  readonly before: NodeText;
  /** JSON text in export form of what is to stand there; `null` for nothing. */
  readonly text: string;
  /** Places with the same number belong together, such as both ends of a move: they are dropped together. */
  readonly group: number;
}

/** What is to be changed, all at once. No place is at or above another. */
export type StagedList = readonly StagedPlace[];

interface Ends {
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
}

/** Places never change, so that each is read once. */
const known = new WeakMap<StagedPlace, Ends>();

/** What stood at a place and what is to stand there, as trees. */
export function endsOf(place: StagedPlace): Ends {
  const found = known.get(place);
  if (found !== undefined) return found;
  const ends = {
    before: parseTree(place.before.text, place.path),
    after: parseTree(place.text, place.path),
  };
  known.set(place, ends);
  return ends;
}

/** JSON has placeholders in it that only the server can fill in, when it writes them. */
export class HasPlaceholder extends Error {
  override readonly name = 'HasPlaceholder';
}

/** Reads JSON text in export form. Throws a `SyntaxError`, a `Refusal` or `HasPlaceholder`. */
export function parseTree(text: string, path: NodePath): TreeNode | null {
  const draft = parseDraft(parseJsonText(text), parsePath(path).length);
  if (draft.kind === 'pending') throw new HasPlaceholder();
  return draft.node;
}

/** The list without places where nothing would change. */
export function withoutIdle(list: StagedList): StagedList {
  return list.filter((place) => {
    const { before, after } = endsOf(place);
    return !isEqualNode(before, after);
  });
}

/** The list without some places and those that belong to them. */
export function dropPlaces(list: StagedList, paths: ReadonlySet<NodePath>): StagedList {
  const groups = new Set(list.filter(({ path }) => paths.has(path)).map(({ group }) => group));
  return list.filter(({ group }) => !groups.has(group));
}

/** Those places that pass together with all that belong to them: one end of a move may be all that is left of a node. */
export function wholeGroups(list: StagedList, passes: (place: StagedPlace) => boolean): StagedList {
  const broken = new Set(list.filter((place) => !passes(place)).map(({ group }) => group));
  return list.filter(({ group }) => !broken.has(group));
}

/** The list as if a place had been staged when something else stood there. */
export function rebasePlace(list: StagedList, path: NodePath, before: NodeText): StagedList {
  return withoutIdle(list.map((place) => (place.path === path ? { ...place, before } : place)));
}

/** What takes staged edits back that were applied. */
export function inverseOf(list: StagedList): readonly { readonly path: NodePath; readonly text: string }[] {
  return list.map(({ path, before }) => ({ path, text: before.text }));
}
