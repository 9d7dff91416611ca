import type { SavedQuery } from './saved-query.ts';

/** Queries that are kept of one person in one project. */
export const MAX_SAVED = 50;

const NONE: readonly SavedQuery[] = [];
const listeners = new Set<() => void>();
/** What was read last: the list is the same object as long as the text is the same. */
let latest: { readonly text: string; readonly list: readonly SavedQuery[] } = { text: '', list: NONE };

/** Where the browser keeps the queries that somebody has saved in a project. */
export function savedQueriesKey(project: string, uid: string | null): string {
  return `hearth.console.saved-queries.${project}.${uid ?? ''}`;
}

export function readSavedQueries(key: string): readonly SavedQuery[] {
  const text = localStorage.getItem(key) ?? '';
  if (latest.text !== text) latest = { text, list: parseSavedQueries(text) };
  return latest.list;
}

/**
 * Changes what is saved by now, in whichever window. Throws when there would be more than `MAX_SAVED`, or when the browser has
 * no room; nothing has changed then.
 */
export function changeSavedQueries(
  key: string,
  change: (before: readonly SavedQuery[]) => readonly SavedQuery[],
): void {
  const after = change(readSavedQueries(key));
  if (after.length > MAX_SAVED) throw new Error(`At most ${MAX_SAVED} queries are saved.`);
  localStorage.setItem(key, JSON.stringify(after));
  for (const tell of [...listeners]) tell();
}

/** Calls back after each change, here or in another window. */
export function watchSavedQueries(tell: () => void): () => void {
  listeners.add(tell);
  addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    removeEventListener('storage', tell);
  };
}

/** What another version of the console has kept may be anything. */
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
