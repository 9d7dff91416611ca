import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../../notices/notices.ts';
import { tellFailure } from '../../../notices/tell-failure.ts';
import { isUnanswered } from '../../../server/api-error.ts';
import { useExplained } from '../edit/use-explained.ts';
import { applyStaged, undoStaged } from './apply-staged.ts';
import type { StageDesk } from './stage-nodes.ts';
import type { StagedList } from './staged-list.ts';

/** How far the staged edits have come on their way to the server. */
export type Applying =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  /** Nothing was done, or it is not known. */
  | { readonly kind: 'failed'; readonly list: StagedList; readonly error: Error };

/** Applies what is staged, all at once. `apply` says whether it did. */
export function useApply(desk: StageDesk): { readonly applying: Applying; apply(): Promise<boolean> } {
  const { t, i18n } = useTranslation('data');
  const explain = useExplained();
  const [applying, setApplying] = useState<Applying>({ kind: 'waiting' });
  const { api, database } = desk;
  async function undo(sent: StagedList): Promise<void> {
    try {
      await undoStaged(api, database, sent);
      tell({ kind: 'done', text: t('undone') });
    } catch (error) {
      tellFailure(explain(error));
    }
  }
  async function apply(): Promise<boolean> {
    const sent = desk.list();
    setApplying({ kind: 'running' });
    try {
      if (!(await applyStaged(api, database, sent))) {
        setApplying({ kind: 'failed', list: sent, error: new Error(t('staged.notApplied')) });
        return false;
      }
    } catch (error) {
      setApplying({
        kind: 'failed',
        list: sent,
        error: isUnanswered(error) ? new Error(t('staged.unanswered'), { cause: error }) : explain(error),
      });
      return false;
    }
    setApplying({ kind: 'waiting' });
    desk.put(desk.list().filter((place) => !sent.includes(place)));
    const number = sent.length.toLocaleString(i18n.language);
    tell({
      kind: 'done',
      text: t('staged.applied', { count: sent.length, number }),
      undo: () => undo(sent),
    });
    return true;
  }
  return { applying, apply };
}
