import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { type LaterWrites, readChanges, undoChange } from '../../../api/changes.ts';
import { ApiError } from '../../../api/client.ts';
import { useApi } from '../../../session/session.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';

/** An undo that would overwrite later writes, and waits for the user. */
interface UndoConflict {
  readonly database: string;
  readonly change: number;
  readonly later: LaterWrites;
}

interface PendingUndo {
  /** `null` if no undo waits. */
  readonly conflict: UndoConflict | null;
}

export const usePendingUndo = create<PendingUndo>()(() => ({ conflict: null }));

export function endPendingUndo(): void {
  usePendingUndo.setState({ conflict: null });
}

/** Number of changes among which the latest change of the user is looked for. */
const SEARCHED = 200;

interface UndoActions {
  /**
   * Undoes a change. If that would overwrite later writes, shows them and asks. Shows a notice when it is done or has failed.
   * `confirmed` is the commit up to which the user has confirmed.
   */
  undo(change: number, confirmed?: number): Promise<void>;
  /** Undoes the latest change of the user. */
  undoLatest(): Promise<void>;
}

/** Returns functions that undo changes of a database. Calls `onChanged` after each. */
export function useUndo(database: string, onChanged?: () => void): UndoActions {
  const { t } = useTranslation('data');
  const api = useApi();
  const client = useQueryClient();
  const undo = useCallback(
    async (change: number, confirmed?: number): Promise<void> => {
      try {
        const outcome = await undoChange(api, database, change, confirmed);
        if (outcome.kind === 'conflict') {
          usePendingUndo.setState({ conflict: { database, change, later: outcome.later } });
          return;
        }
        endPendingUndo();
        onChanged?.();
        void client.invalidateQueries();
        const undone = outcome.change;
        notify({
          kind: 'done',
          text: t('undone'),
          ...(undone === null ? {} : { undo: () => undo(undone) }),
        });
      } catch (error) {
        const isFinal =
          error instanceof ApiError && (error.code === 'change/final' || error.code === 'change/unknown');
        reportFailure(isFinal ? new Error(t('changes.isFinal'), { cause: error }) : error);
      }
    },
    [api, database, client, onChanged, t],
  );
  const undoLatest = useCallback(async (): Promise<void> => {
    try {
      const { changes } = await readChanges(api, database, undefined, SEARCHED);
      const latest = changes.find(({ isOwn, canUndo, kind }) => isOwn && canUndo && kind !== 'undo');
      if (latest === undefined) notify({ kind: 'done', text: t('changes.nothing') });
      else await undo(latest.id);
    } catch (error) {
      reportFailure(error);
    }
  }, [api, database, undo, t]);
  return { undo, undoLatest };
}
