import type { Theme } from '@mui/material/styles';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { meaningColor } from '../../../ui/theme.ts';
import type { RowStage } from './overlay.ts';

type Sign = RowStage['sign'];

/** Signs of staged changes, so that users need not recognize colors. */
export const SIGNS = { added: '+', changed: '±', removed: '−', below: '•' } as const satisfies Record<
  Sign,
  string
>;

/** Returns a function that returns the meaning of a sign. */
export function useSignText(): (sign: Sign) => string {
  const { t } = useTranslation('data');
  return useCallback((sign) => t(`staged.signs.${sign}`), [t]);
}

/** Shows the sign of a staged change, with its meaning for screen readers. */
export function StageSign({ sign }: { readonly sign: Sign }) {
  const meaning = useSignText()(sign);
  return (
    <span role="img" aria-label={meaning} title={meaning} className={`sign ${sign}`}>
      {SIGNS[sign]}
    </span>
  );
}

/** Returns the styles of rows and cells with staged changes. */
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
