import { useMemo } from 'react';
import { useStore } from 'zustand';
import { usePreferences } from '../../../preferences/preferences.ts';
import { useProjectId, useSession } from '../../../session/session.ts';
import { useActing } from '../act-as/acting.ts';
import type { StageDesk } from './stage-nodes.ts';
import type { StagedList } from './staged-list.ts';
import { stagingName, stagingOf, takeBackStaging, writeStaging } from './staged-store.ts';

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
  readonly desk: StageDesk;
}

/** Whoever acts for somebody else writes at once, for rules to judge it: what is staged waits. */
export function useStage(database: string): Stage {
  const isOneself = useActing().who.kind === 'oneself';
  const { api, user } = useSession();
  const name = stagingName(useProjectId(), database, user?.uid ?? null);
  const { list, isKept } = useStore(stagingOf(name));
  const isPreferred = usePreferences((preferences) => preferences.isStaging);
  const desk = useMemo(
    (): StageDesk => ({
      api,
      database,
      list: () => stagingOf(name).getState().list,
      put: (made) => writeStaging(name, made),
      takeBack: (made) => takeBackStaging(name, made),
    }),
    [api, database, name],
  );
  return isOneself
    ? { isStaging: isPreferred || list.length > 0, list, waiting: 0, isKept, desk }
    : { isStaging: false, list: NONE, waiting: list.length, isKept, desk };
}

const NONE: StagedList = [];
