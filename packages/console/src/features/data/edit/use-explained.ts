import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { StageFull, StageOutdated } from '../staged/stage-nodes.ts';
import { HasPlaceholder, MAX_STAGED } from '../staged/staged-list.ts';
import { ChangedMeanwhile, TooLarge, ValueAbove } from './change-nodes.ts';

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
