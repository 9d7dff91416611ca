import { createStore, type StoreApi } from 'zustand';
import { keepInTab, nameInTab, readInTab } from '../../../session/kept-in-tab.ts';
import { parseStagedList } from './parse-staged-list.ts';
import type { StagedList } from './staged-list.ts';

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
  const store = createStore<Staging>()(() => ({ list: readKept(name), former: null, isKept: true }));
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

function readKept(name: string): StagedList {
  const text = readInTab(name);
  return text === null ? [] : parseStagedList(text);
}
