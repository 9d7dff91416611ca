import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isIncomplete } from '../../../api/client.ts';
import { countChildren } from '../../../api/data.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';

/** State of a count. */
type CountProgress =
  | { readonly kind: 'requested' }
  | { readonly kind: 'counting'; readonly count: number }
  | { readonly kind: 'counted'; readonly count: number }
  /** The user stopped the count, or the response ended early. */
  | { readonly kind: 'stopped'; readonly count: number }
  /** The request failed: the server rejected it or did not respond. */
  | { readonly kind: 'not-counted' };

interface Counting {
  readonly progress: CountProgress;
  stop(): void;
  /** Starts the count again. */
  restart(): void;
}

/** Asks the server to count the children of a node. Stops when the view unmounts. Returns the progress. */
function useChildCount(database: string, path: NodePath): Counting {
  const api = useApi();
  const [progress, setProgress] = useState<CountProgress>({ kind: 'requested' });
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    let isShown = true;
    setAbort(running);
    setProgress({ kind: 'requested' });
    async function follow(): Promise<void> {
      let count = 0;
      try {
        for await (const line of countChildren(api, database, path, signal)) {
          count = line.count;
          setProgress({ kind: line.kind === 'done' ? 'counted' : 'counting', count });
        }
      } catch (error) {
        if (isShown)
          setProgress(
            signal.aborted || isIncomplete(error) ? { kind: 'stopped', count } : { kind: 'not-counted' },
          );
      }
    }
    void follow();
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, database, path, attempt]);
  return { progress, stop: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

interface ChildCountProps {
  readonly database: string;
  readonly path: NodePath;
}

/**
 * Shows the number of children that the server has counted. The user can stop the count, and start a stopped count
 * again.
 */
export function ChildCount({ database, path }: ChildCountProps) {
  const { t, i18n } = useTranslation('data');
  const { progress, stop, restart } = useChildCount(database, path);
  if (progress.kind === 'requested' || progress.kind === 'not-counted') return null;
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
