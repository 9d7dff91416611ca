import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countChildren } from '../../../server/data.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';

interface ChildCountProps {
  readonly database: string;
  readonly path: NodePath;
}

type Count =
  | { readonly kind: 'asked' }
  | { readonly kind: 'counting'; readonly count: number }
  | { readonly kind: 'counted'; readonly count: number }
  | { readonly kind: 'not-counted' };

/** How many children a node has, counted by the server as one looks; counts of many can be cancelled. */
export function ChildCount({ database, path }: ChildCountProps) {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const [count, setCount] = useState<Count>({ kind: 'asked' });
  const [abort, setAbort] = useState<AbortController | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    setAbort(abort);
    setCount({ kind: 'asked' });
    async function follow(): Promise<void> {
      for await (const line of countChildren(api, database, path, abort.signal))
        setCount({ kind: line.kind === 'done' ? 'counted' : 'counting', count: line.count });
    }
    follow().catch(() => setCount({ kind: 'not-counted' }));
    return () => abort.abort();
  }, [api, database, path]);
  if (count.kind === 'asked' || count.kind === 'not-counted') return null;
  const text = t('tree.children', { count: count.count, number: count.count.toLocaleString(i18n.language) });
  return (
    <Typography variant="body2" color="textSecondary" component="span" aria-live="off">
      {count.kind === 'counting' ? `≥ ${text}` : text}
      {count.kind === 'counting' && (
        <Button size="small" color="inherit" onClick={() => abort?.abort()}>
          {t('tree.stopCounting')}
        </Button>
      )}
    </Typography>
  );
}
