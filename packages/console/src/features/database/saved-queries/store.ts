import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectId, useSession } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { showControls } from '../../../ui/text.tsx';
import type { DataLocation } from '../model/location.ts';
import type { NodePath } from '../model/node-path.ts';

/** A view of data that the user has saved under a name. */
export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly database: string;
  readonly path: NodePath;
  /** Address parameters of the view and its filter. */
  readonly parameters: string;
}

/** Maximum length of a name in UTF-16 code units. */
export const MAX_NAME = 60;

/** Maximum length of parameters in UTF-16 code units. */
export const MAX_PARAMETERS = 2_000;

/** Parameters that are saved. Others, such as the impersonated principal and the selected row, are not. */
const STORED = [
  ...['view', 'from', 'tail'],
  ...['order', 'child', 'equal', 'start', 'end', 'limit', 'last'],
  ...['q', 'in', 'case'],
];

/** Returns the parameters of an address that are saved. */
export function savedParameters(parameters: URLSearchParams): string {
  return new URLSearchParams([...parameters].filter(([name]) => STORED.includes(name))).toString();
}

/** Returns why a name cannot be used; `null` if it can. */
export function findNameProblem(
  name: string,
  others: readonly SavedQuery[],
): 'empty' | 'long' | 'taken' | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.length > MAX_NAME) return 'long';
  return others.some((other) => other.name === trimmed) ? 'taken' : null;
}

/** Maximum number of saved queries of one user in one project. */
export const MAX_SAVED = 50;

const NONE: readonly SavedQuery[] = [];
const listeners = new Set<() => void>();
/** Cache of the latest read, so that the list is the same object while the stored text is the same. */
let latest: { readonly text: string; readonly list: readonly SavedQuery[] } = { text: '', list: NONE };

/** Returns the key in local storage for a user's queries in a project. */
export function savedQueriesKey(project: string, uid: string | null): string {
  return `hearth.console.saved-queries.${project}.${uid ?? ''}`;
}

export function readSavedQueries(key: string): readonly SavedQuery[] {
  const text = localStorage.getItem(key) ?? '';
  if (latest.text !== text) latest = { text, list: parseSavedQueries(text) };
  return latest.list;
}

/**
 * Changes the stored queries, including those that other windows have saved. Throws, without a change, if there would be more
 * than `MAX_SAVED`, or if the browser's storage is full.
 */
export function changeSavedQueries(
  key: string,
  change: (before: readonly SavedQuery[]) => readonly SavedQuery[],
): void {
  const after = change(readSavedQueries(key));
  if (after.length > MAX_SAVED) throw new Error(`The maximum is ${MAX_SAVED} saved queries.`);
  localStorage.setItem(key, JSON.stringify(after));
  for (const notify of [...listeners]) notify();
}

/** Calls `notify` after each change in this or another window. Returns a function that unsubscribes. */
export function watchSavedQueries(notify: () => void): () => void {
  listeners.add(notify);
  addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    removeEventListener('storage', notify);
  };
}

/** Parses stored queries. Ignores invalid ones, which another version of the console may have stored. */
function parseSavedQueries(text: string): readonly SavedQuery[] {
  if (text === '') return NONE;
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) ? json.filter(isSavedQuery).slice(0, MAX_SAVED) : NONE;
  } catch {
    return NONE;
  }
}

function isSavedQuery(json: unknown): json is SavedQuery {
  if (typeof json !== 'object' || json === null) return false;
  const { id, name, database, path, parameters } = json as Partial<Record<keyof SavedQuery, unknown>>;
  return [id, name, database, path, parameters].every((field) => typeof field === 'string');
}

export interface SavedQueriesState {
  readonly saved: readonly SavedQuery[];
  /** Saves the current view. Returns whether it was saved. */
  save(name: string): boolean;
  rename(query: SavedQuery, name: string): void;
  /** Deletes a query. Returns a function that restores it. */
  remove(query: SavedQuery): () => void;
}

/**
 * Returns the user's saved queries in the current project. Shows a notice when a query is saved or renamed, and when a change
 * fails.
 */
export function useSavedQueries({ database, path, parameters }: DataLocation): SavedQueriesState {
  const { t } = useTranslation('data');
  const project = useProjectId();
  const { user } = useSession();
  const key = savedQueriesKey(project, user?.uid ?? null);
  const saved = useSyncExternalStore(watchSavedQueries, () => readSavedQueries(key));
  const attempt = useCallback(
    (change: Parameters<typeof changeSavedQueries>[1], done = (): void => {}): boolean => {
      try {
        changeSavedQueries(key, change);
        done();
        return true;
      } catch (error) {
        notify({
          kind: 'failed',
          text: t('saved.notKept', { reason: error instanceof Error ? error.message : String(error) }),
        });
        return false;
      }
    },
    [key, t],
  );
  return useMemo(
    () => ({
      saved,
      save(name) {
        const query = {
          id: crypto.randomUUID(),
          name,
          database,
          path,
          parameters: savedParameters(parameters),
        };
        return attempt(
          (before) => [...before, query],
          () => notify({ kind: 'done', text: t('saved.done', { name: showControls(name) }) }),
        );
      },
      rename({ id }, name) {
        attempt(
          (before) => before.map((query) => (query.id === id ? { ...query, name } : query)),
          () => notify({ kind: 'done', text: t('saved.renamed', { name: showControls(name) }) }),
        );
      },
      remove(query) {
        const index = saved.indexOf(query);
        attempt((before) => before.filter(({ id }) => id !== query.id));
        return () => void attempt((before) => before.toSpliced(index, 0, query));
      },
    }),
    [saved, attempt, t, database, path, parameters],
  );
}
