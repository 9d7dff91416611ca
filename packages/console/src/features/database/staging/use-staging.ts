import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useProjectId, useSession } from '../../../session/session.ts';
import { usePreferences } from '../../../ui/use-preferences.ts';
import { ConcurrentChange, TooLarge, ValueAbove } from '../edit/change-nodes.ts';
import { useImpersonation } from '../impersonation/model.ts';
import { RoundedNumber } from '../model/exact-numbers.ts';
import { StageFull, StageOutdated, type StagingStore } from './stage-nodes.ts';
import {
  HasPlaceholder,
  MAX_STAGED,
  type StagedList,
  stagingName,
  stagingOf,
  undoStaging,
  writeStaging,
} from './store.ts';

/** The user's staged edits of a database. */
export interface Stage {
  /** Whether new edits are staged: if the user prefers it, or if staged edits exist, but not during an impersonation. */
  readonly isStaging: boolean;
  readonly list: StagedList;
  /** Number of staged edits that are hidden during an impersonation. */
  readonly waiting: number;
  /** Whether the tab's storage holds the edits, so that they are restored when the page is loaded again. */
  readonly isPersisted: boolean;
  /** Stays the same object when the list changes. */
  readonly stagingStore: StagingStore;
}

/**
 * Returns the staging state. During an impersonation, edits are written immediately, so that rules decide on them; staged edits
 * wait.
 */
export function useStage(database: string): Stage {
  const isSelf = useImpersonation().who.kind === 'self';
  const { api, user } = useSession();
  const name = stagingName(useProjectId(), database, user?.uid ?? null);
  const { list, isPersisted } = useStore(stagingOf(name));
  const isPreferred = usePreferences((preferences) => preferences.isStaging);
  const stagingStore = useMemo(
    (): StagingStore => ({
      api,
      database,
      list: () => stagingOf(name).getState().list,
      put: (made) => writeStaging(name, made),
      undo: (made) => undoStaging(name, made),
    }),
    [api, database, name],
  );
  return isSelf
    ? { isStaging: isPreferred || list.length > 0, list, waiting: 0, isPersisted, stagingStore }
    : { isStaging: false, list: NONE, waiting: list.length, isPersisted, stagingStore };
}

const NONE: StagedList = [];

/** Returns a function that replaces known errors by errors with a translated message that says what to do. */
export function useExplainError(): (error: unknown) => Error {
  const { t, i18n } = useTranslation('data');
  return useCallback(
    (error) => {
      const text = sentence();
      if (text !== null) return new Error(text, { cause: error });
      return error instanceof Error ? error : new Error(String(error));
      function sentence(): string | null {
        if (error instanceof ConcurrentChange) return t('changedMeanwhile');
        if (error instanceof ValueAbove) return t('valueAbove');
        if (error instanceof TooLarge) return t('tooLarge');
        if (error instanceof RoundedNumber) return `${error.number}: ${t('edit.problem.digits')}`;
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
