import type { Theme } from '@mui/material/styles';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { meaningColor } from '../../../ui/theme.ts';
import type { RowStage } from './overlay.ts';

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

/** How lines and cells look that staged edits change: each has a sign beside its colour. */
export function stageStyles(theme: Theme) {
  return {
    '& .sign': {
      color: theme.palette.background.paper,
      background: meaningColor(theme, 'number'),
      flexShrink: 0,
      width: '1.4em',
      height: '1.4em',
      lineHeight: '1.4em',
      borderRadius: 4,
      textAlign: 'center',
      fontWeight: 700,
    },
    '& .sign.added': { background: meaningColor(theme, 'allow') },
    '& .sign.removed': { background: meaningColor(theme, 'deny') },
    '& .staged': { background: meaningColor(theme, 'staged') },
    '& .removed bdi': { textDecoration: 'line-through' },
    '& .was': {
      color: theme.palette.text.secondary,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      marginInlineStart: theme.spacing(1),
    },
  } as const;
}
