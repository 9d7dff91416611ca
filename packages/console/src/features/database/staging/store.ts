import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isEqualNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { createStore, type StoreApi } from 'zustand';
import type { NodeText } from '../../../api/data-nodes.ts';
import { keepInTab, nameInTab, readInTab } from '../../../session/tab-storage.ts';
import { isAtOrBelow, keysOf, type NodePath, pathOf } from '../model/node-path.ts';

/** Places that are staged at a time: as many as the server compares at once. */
export const MAX_STAGED = 1_000;
/** Letters of what stood at all staged places and is to stand there, together: what browsers keep for a page. */
export const MAX_STAGED_UNITS = 2 ** 21;

/** A place where another node is to stand. */
export interface StagedPath {
  readonly path: NodePath;
  /** What stood there when it was staged. */
  readonly before: NodeText;
  /** JSON text in export form of what is to stand there; `null` for nothing. */
  readonly text: string;
  /** Places with the same number belong together, such as both ends of a move: they are dropped together. */
  readonly group: number;
}

/** What is to be changed, all at once. No place is at or above another. */
export type StagedList = readonly StagedPath[];

interface Ends {
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
}

/** Places never change, so that each is read once. */
const known = new WeakMap<StagedPath, Ends>();

/** What stood at a place and what is to stand there, as trees. */
export function endsOf(location: StagedPath): Ends {
  const found = known.get(location);
  if (found !== undefined) return found;
  const ends = {
    before: parseTree(location.before.text, location.path),
    after: parseTree(location.text, location.path),
  };
  known.set(location, ends);
  return ends;
}

/** JSON has placeholders in it that only the server can fill in, when it writes them. */
export class HasPlaceholder extends Error {
  override readonly name = 'HasPlaceholder';
}

/** Reads JSON text in export form. Throws a `SyntaxError`, a `RequestError` or `HasPlaceholder`. */
export function parseTree(text: string, path: NodePath): TreeNode | null {
  const draft = parseDraft(parseJsonText(text), parsePath(path).length);
  if (draft.kind === 'pending') throw new HasPlaceholder();
  return draft.node;
}

/** The list without places where nothing would change. */
export function withoutIdle(list: StagedList): StagedList {
  return list.filter((location) => {
    const { before, after } = endsOf(location);
    return !isEqualNode(before, after);
  });
}

/** The list without some places and those that belong to them. */
export function dropPaths(list: StagedList, paths: ReadonlySet<NodePath>): StagedList {
  const groups = new Set(list.filter(({ path }) => paths.has(path)).map(({ group }) => group));
  return list.filter(({ group }) => !groups.has(group));
}

/** Those places that pass together with all that belong to them: one end of a move may be all that is left of a node. */
export function wholeGroups(list: StagedList, passes: (location: StagedPath) => boolean): StagedList {
  const broken = new Set(list.filter((location) => !passes(location)).map(({ group }) => group));
  return list.filter(({ group }) => !broken.has(group));
}

/** The list as if a place had been staged when something else stood there. */
export function rebasePath(list: StagedList, path: NodePath, before: NodeText): StagedList {
  return withoutIdle(list.map((location) => (location.path === path ? { ...location, before } : location)));
}

/** What takes staged edits back that were applied. */
export function inverseOf(list: StagedList): readonly { readonly path: NodePath; readonly text: string }[] {
  return list.map(({ path, before }) => ({ path, text: before.text }));
}

/**
 * Reads what the browser has kept, which may be anything: what is no staged place is left out, and so is one at, above or
 * below another.
 */
export function parseStagedList(text: string): StagedList {
  const list: StagedPath[] = [];
  for (const json of parseItems(text).slice(0, MAX_STAGED)) {
    const location = parseLocation(json);
    if (location !== undefined && !list.some((other) => isInOneLine(location, other))) list.push(location);
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

function isInOneLine({ path }: StagedPath, other: StagedPath): boolean {
  return isAtOrBelow(path, other.path) || isAtOrBelow(other.path, path);
}

function parseLocation(json: unknown): StagedPath | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  if (!('path' in json && 'before' in json && 'text' in json && 'group' in json)) return undefined;
  const { path, before, text, group } = json;
  if (typeof path !== 'string' || typeof text !== 'string' || !Number.isSafeInteger(group)) return undefined;
  if (typeof before !== 'object' || before === null || !('text' in before && 'hash' in before))
    return undefined;
  if (typeof before.text !== 'string' || typeof before.hash !== 'string' || before.hash === '')
    return undefined;
  const location = { path, before: { text: before.text, hash: before.hash }, text, group: Number(group) };
  return isReadable(location) ? location : undefined;
}

function isReadable(location: StagedPath): boolean {
  try {
    endsOf(location);
    return pathOf(keysOf(location.path)) === location.path;
  } catch {
    return false;
  }
}

/** Staged edits of one database by one member. */
export interface Staging {
  readonly list: StagedList;
  /** The list before the latest change; `null` when there was none. */
  readonly former: StagedList | null;
  /** Does the browser keep them, so that they are there when the page is loaded again? */
  readonly isKept: boolean;
}

/** By what the browser keeps them as. */
const stores = new Map<string, StoreApi<Staging>>();

/** Whose edits of what, as the browser keeps them. */
export function stagingName(project: string, database: string, uid: string | null): string {
  return nameInTab(project, 'staged', database, uid ?? '');
}

/** What is staged under a name. What the tab of the browser has kept is looked up once. */
export function stagingOf(name: string): StoreApi<Staging> {
  const known = stores.get(name);
  if (known !== undefined) return known;
  const store = createStore<Staging>()(() => ({ list: readStored(name), former: null, isKept: true }));
  stores.set(name, store);
  return store;
}

/** Puts a list in the place of the one before. */
export function writeStaging(name: string, list: StagedList): void {
  const store = stagingOf(name);
  const text = list.length === 0 ? null : JSON.stringify(list);
  store.setState({ list, former: store.getState().list, isKept: keepInTab(name, text) });
}

/** Takes the change back that made a list, unless others came after it. Says whether it did. */
export function takeBackStaging(name: string, made: StagedList): boolean {
  const { list, former } = stagingOf(name).getState();
  if (former === null || list !== made) return false;
  writeStaging(name, former);
  return true;
}

function readStored(name: string): StagedList {
  const text = readInTab(name);
  return text === null ? [] : parseStagedList(text);
}
