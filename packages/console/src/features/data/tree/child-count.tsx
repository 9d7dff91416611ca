import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { NodePath } from '../model/node-path.ts';
import { useChildCount } from './use-child-count.ts';

interface ChildCountProps {
  readonly database: string;
  readonly path: NodePath;
}

/** How many children a node has, counted by the server as one looks; counts of many can be stopped, and begun anew. */
export function ChildCount({ database, path }: ChildCountProps) {
  const { t, i18n } = useTranslation('data');
  const { progress, stop, restart } = useChildCount(database, path);
  if (progress.kind === 'asked' || progress.kind === 'not-counted') return null;
  const { kind, count } = progress;
  const text = t('tree.children', { count, number: count.toLocaleString(i18n.language) });
  return (
    <Typography variant="body2" color="textSecondary" component="span" aria-live="off">
      {kind === 'counted' ? text : `≥ ${text}`}
      {kind === 'counting' && (
        <Button size="small" color="inherit" onClick={stop}>
          {t('tree.stopCounting')}
        </Button>
      )}
      {kind === 'stopped' && (
        <Button size="small" color="inherit" onClick={restart}>
          {t('tree.countAgain')}
        </Button>
      )}
    </Typography>
  );
}
