import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useProjectId, useSession } from '../../../session/session.ts';
import { usePreferences } from '../../../ui/use-preferences.ts';
import { ChangedMeanwhile, TooLarge, ValueAbove } from '../edit/change-nodes.ts';
import { useImpersonation } from '../impersonation/model.ts';
import { StageFull, StageOutdated, type StagingStore } from './stage-nodes.ts';
import {
  HasPlaceholder,
  MAX_STAGED,
  type StagedList,
  stagingName,
  stagingOf,
  takeBackStaging,
  writeStaging,
} from './store.ts';

/** The staged edits of a database by whoever is at the console. */
export interface Stage {
  /** Are edits staged? As long as some are, all others are too. */
  readonly isStaging: boolean;
  readonly list: StagedList;
  /** Staged edits that are not shown, because somebody acts for somebody else. */
  readonly waiting: number;
  /** Does the browser keep them when the page is loaded again? */
  readonly isKept: boolean;
  /** Keeps its identity whatever is staged. */
  readonly stagingStore: StagingStore;
}

/** Whoever acts for somebody else writes at once, for rules to judge it: what is staged waits. */
export function useStage(database: string): Stage {
  const isSelf = useImpersonation().who.kind === 'oneself';
  const { api, user } = useSession();
  const name = stagingName(useProjectId(), database, user?.uid ?? null);
  const { list, isKept } = useStore(stagingOf(name));
  const isPreferred = usePreferences((preferences) => preferences.isStaging);
  const stagingStore = useMemo(
    (): StagingStore => ({
      api,
      database,
      list: () => stagingOf(name).getState().list,
      put: (made) => writeStaging(name, made),
      takeBack: (made) => takeBackStaging(name, made),
    }),
    [api, database, name],
  );
  return isSelf
    ? { isStaging: isPreferred || list.length > 0, list, waiting: 0, isKept, stagingStore }
    : { isStaging: false, list: NONE, waiting: list.length, isKept, stagingStore };
}

const NONE: StagedList = [];

/** Says what to do in words of the page, where a failure is one that the page knows. */
export function useExplained(): (error: unknown) => Error {
  const { t, i18n } = useTranslation('data');
  return useCallback(
    (error) => {
      const text = sentence();
      if (text !== null) return new Error(text, { cause: error });
      return error instanceof Error ? error : new Error(String(error));
      function sentence(): string | null {
        if (error instanceof ChangedMeanwhile) return t('changedMeanwhile');
        if (error instanceof ValueAbove) return t('valueAbove');
        if (error instanceof TooLarge) return t('tooLarge');
        if (error instanceof HasPlaceholder) return t('staged.placeholder');
        if (error instanceof StageOutdated) return t('staged.outdated', { path: error.message });
        if (error instanceof StageFull)
          return t('staged.full', { number: MAX_STAGED.toLocaleString(i18n.language) });
        return null;
      }
    },
    [t, i18n.language],
  );
}
