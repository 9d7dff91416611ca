import type { Theme } from '@mui/material/styles';
import { meaningColor } from '../../../theme.ts';

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
