import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isEqualNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { createStore, type StoreApi } from 'zustand';
import type { NodeText } from '../../../api/data-nodes.ts';
import { keepInTab, nameInTab, readInTab } from '../../../session/tab-storage.ts';
import { isAtOrBelow, keysOf, type NodePath, pathOf } from '../model/node-path.ts';

/** Maximum number of staged paths: the number that the server compares in one request. */
export const MAX_STAGED = 1_000;
/**
 * Maximum total length of the texts before and after all edits, in UTF-16 code units, so that they fit into the tab's storage.
 */
export const MAX_STAGED_LENGTH = 2 ** 21;

/** A staged edit: a path and its new node. */
export interface StagedEdit {
  readonly path: NodePath;
  /** The node when the edit was staged. */
  readonly before: NodeText;
  /** JSON text of the new node in export format; `null` for a deletion. */
  readonly text: string;
  /** Edits with the same number, such as the two edits of a move, are dropped together. */
  readonly group: number;
}

/** Edits that are applied together. No path is at or above another. */
export type StagedList = readonly StagedEdit[];

interface EditTrees {
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
}

/** Parsed nodes by edit. Edits are immutable, so each is parsed once. */
const known = new WeakMap<StagedEdit, EditTrees>();

/** Returns the nodes before and after an edit, as trees. */
export function treesOf(edit: StagedEdit): EditTrees {
  const found = known.get(edit);
  if (found !== undefined) return found;
  const trees = {
    before: parseTree(edit.before.text, edit.path),
    after: parseTree(edit.text, edit.path),
  };
  known.set(edit, trees);
  return trees;
}

/** The JSON contains server values, which only the server can replace when it writes them. */
export class HasPlaceholder extends Error {
  override readonly name = 'HasPlaceholder';
}

/** Parses JSON text in export format. Throws a `SyntaxError`, a `RequestError` or `HasPlaceholder`. */
export function parseTree(text: string, path: NodePath): TreeNode | null {
  const draft = parseDraft(parseJsonText(text), parsePath(path).length);
  if (draft.kind === 'pending') throw new HasPlaceholder();
  return draft.node;
}

/** Returns the list without edits that change nothing. */
export function withoutUnchanged(list: StagedList): StagedList {
  return list.filter((edit) => {
    const { before, after } = treesOf(edit);
    return !isEqualNode(before, after);
  });
}

/** Returns the list without the edits of some paths and of their groups. */
export function dropPaths(list: StagedList, paths: ReadonlySet<NodePath>): StagedList {
  const groups = new Set(list.filter(({ path }) => paths.has(path)).map(({ group }) => group));
  return list.filter(({ group }) => !groups.has(group));
}

/**
 * Returns the edits of groups in which all edits pass. The two edits of a move pass or fail together, because either may hold
 * the only copy of the node.
 */
export function completeGroups(list: StagedList, passes: (edit: StagedEdit) => boolean): StagedList {
  const broken = new Set(list.filter((edit) => !passes(edit)).map(({ group }) => group));
  return list.filter(({ group }) => !broken.has(group));
}

/** Returns the list with another node as the base of an edit, without the edit if it then changes nothing. */
export function rebasePath(list: StagedList, path: NodePath, before: NodeText): StagedList {
  return withoutUnchanged(list.map((edit) => (edit.path === path ? { ...edit, before } : edit)));
}

/**
 * Parses the stored list, which may be any text. Ignores invalid edits, and edits at, above or below a previous one.
 */
export function parseStagedList(text: string): StagedList {
  const list: StagedEdit[] = [];
  for (const json of parseItems(text).slice(0, MAX_STAGED)) {
    const edit = parseStagedEdit(json);
    if (edit !== undefined && !list.some((other) => areNested(edit, other))) list.push(edit);
  }
  return list;
}

function parseItems(text: string): readonly unknown[] {
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) ? json : [];
  } catch {
    return [];
  }
}

function areNested({ path }: StagedEdit, other: StagedEdit): boolean {
  return isAtOrBelow(path, other.path) || isAtOrBelow(other.path, path);
}

function parseStagedEdit(json: unknown): StagedEdit | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  if (!('path' in json && 'before' in json && 'text' in json && 'group' in json)) return undefined;
  const { path, before, text, group } = json;
  if (typeof path !== 'string' || typeof text !== 'string' || !Number.isSafeInteger(group)) return undefined;
  if (typeof before !== 'object' || before === null || !('text' in before && 'hash' in before))
    return undefined;
  if (typeof before.text !== 'string' || typeof before.hash !== 'string' || before.hash === '')
    return undefined;
  const edit = { path, before: { text: before.text, hash: before.hash }, text, group: Number(group) };
  return isReadable(edit) ? edit : undefined;
}

function isReadable(edit: StagedEdit): boolean {
  try {
    treesOf(edit);
    return pathOf(keysOf(edit.path)) === edit.path;
  } catch {
    return false;
  }
}

/** The staged edits of one member in one database. */
export interface Staging {
  readonly list: StagedList;
  /** The list before the latest change; `null` if there was no change. */
  readonly former: StagedList | null;
  /** Whether the tab's storage holds the edits, so that they are restored when the page is loaded again. */
  readonly isPersisted: boolean;
}

/** Stores by their name in the tab's storage. */
const stores = new Map<string, StoreApi<Staging>>();

/** Returns the name under which the tab stores a member's edits of a database. */
export function stagingName(project: string, database: string, uid: string | null): string {
  return nameInTab(project, 'staged', database, uid ?? '');
}

/** Returns the store with a name. Creates it from the tab's storage on first use. */
export function stagingOf(name: string): StoreApi<Staging> {
  const known = stores.get(name);
  if (known !== undefined) return known;
  const store = createStore<Staging>()(() => ({ list: readStored(name), former: null, isPersisted: true }));
  stores.set(name, store);
  return store;
}

/** Replaces the list, in the page and in the tab's storage. */
export function writeStaging(name: string, list: StagedList): void {
  const store = stagingOf(name);
  const text = list.length === 0 ? null : JSON.stringify(list);
  store.setState({ list, former: store.getState().list, isPersisted: keepInTab(name, text) });
}

/** Reverts the change that resulted in `made`, unless the list has changed since. Returns whether it was reverted. */
export function undoStaging(name: string, made: StagedList): boolean {
  const { list, former } = stagingOf(name).getState();
  if (former === null || list !== made) return false;
  writeStaging(name, former);
  return true;
}

function readStored(name: string): StagedList {
  const text = readInTab(name);
  return text === null ? [] : parseStagedList(text);
}
