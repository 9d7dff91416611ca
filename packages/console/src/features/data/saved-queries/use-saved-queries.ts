import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import { useProjectId, useSession } from '../../../session/session.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { keptParameters, type SavedQuery } from './saved-query.ts';
import {
  changeSavedQueries,
  readSavedQueries,
  savedQueriesKey,
  watchSavedQueries,
} from './saved-query-store.ts';

export interface SavedQueriesState {
  readonly saved: readonly SavedQuery[];
  /** Saves what is seen now. Returns whether it is kept. */
  save(name: string): boolean;
  rename(query: SavedQuery, name: string): void;
  /** Returns what takes it back. */
  remove(query: SavedQuery): () => void;
}

/** The queries of whoever is at the console in the project of the address. Each change is told in passing. */
export function useSavedQueries({ database, path, parameters }: DataPlace): SavedQueriesState {
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
        tell({
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
          parameters: keptParameters(parameters),
        };
        return attempt(
          (before) => [...before, query],
          () => tell({ kind: 'done', text: t('saved.done', { name: showControls(name) }) }),
        );
      },
      rename({ id }, name) {
        attempt(
          (before) => before.map((query) => (query.id === id ? { ...query, name } : query)),
          () => tell({ kind: 'done', text: t('saved.renamed', { name: showControls(name) }) }),
        );
      },
      remove(query) {
        const place = saved.indexOf(query);
        attempt((before) => before.filter(({ id }) => id !== query.id));
        return () => void attempt((before) => before.toSpliced(place, 0, query));
      },
    }),
    [saved, attempt, t, database, path, parameters],
  );
}
