import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowStage } from './row-stage.ts';

type Sign = RowStage['sign'];

/** What says without colours that something is staged. */
export const SIGNS = { added: '+', changed: '±', removed: '−', below: '•' } as const satisfies Record<
  Sign,
  string
>;

/** What each of the signs means. */
export function useStageWords(): (sign: Sign) => string {
  const { t } = useTranslation('data');
  return useCallback((sign) => t(`staged.signs.${sign}`), [t]);
}

/** The sign of a staged change, and its meaning for whoever hears it. */
export function StageSign({ sign }: { readonly sign: Sign }) {
  const meaning = useStageWords()(sign);
  return (
    <span role="img" aria-label={meaning} title={meaning} className={`sign ${sign}`}>
      {SIGNS[sign]}
    </span>
  );
}
