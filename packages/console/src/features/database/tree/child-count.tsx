import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
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

/** Shortest delay in ms between the end of a count and the next count. */
const MIN_RECOUNT_MS = 2_000;
/** The delay is at least this multiple of the duration of the last count, so that large nodes are counted rarely. */
const RECOUNT_SHARE = 20;

/**
 * Asks the server to count the children of a node, and to count again after a delay while `isLive` is true. Stops when the view
 * unmounts. Returns the progress of the first count, and then the result of each count.
 */
function useChildCount(database: string, path: NodePath, isLive: boolean): Counting {
  const api = useApi();
  const [progress, setProgress] = useState<CountProgress>({ kind: 'requested' });
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  const mayCount = useRef(isLive);
  mayCount.current = isLive;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    let timer: ReturnType<typeof setTimeout>;
    let isShown = true;
    setAbort(running);
    setProgress({ kind: 'requested' });
    async function follow(): Promise<void> {
      let count = 0;
      const startMs = performance.now();
      try {
        for await (const line of countChildren(api, database, path, signal)) {
          count = line.count;
          setProgress({ kind: line.kind === 'done' ? 'counted' : 'counting', count });
        }
        countAgain(performance.now() - startMs);
      } catch (error) {
        if (isShown)
          setProgress(
            signal.aborted || isIncomplete(error) ? { kind: 'stopped', count } : { kind: 'not-counted' },
          );
      }
    }
    function countAgain(durationMs: number): void {
      if (isShown)
        timer = setTimeout(
          () => void recount(durationMs),
          Math.max(MIN_RECOUNT_MS, RECOUNT_SHARE * durationMs),
        );
    }
    async function recount(lastDurationMs: number): Promise<void> {
      const startMs = performance.now();
      if (!mayCount.current || document.hidden) {
        countAgain(lastDurationMs);
        return;
      }
      try {
        for await (const { kind, count } of countChildren(api, database, path, signal))
          if (kind === 'done') setProgress({ kind: 'counted', count });
      } catch {
        // The last count stays until the server responds again. The tree shows that the connection is lost.
      }
      countAgain(performance.now() - startMs);
    }
    void follow();
    return () => {
      isShown = false;
      clearTimeout(timer);
      running.abort();
    };
  }, [api, database, path, attempt]);
  return { progress, stop: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

interface ChildCountProps {
  readonly database: string;
  readonly path: NodePath;
  /** Whether the view follows changes. */
  readonly isLive: boolean;
}

/**
 * Shows the number of children that the server has counted. The user can stop the count, and start a stopped count
 * again.
 */
export function ChildCount({ database, path, isLive }: ChildCountProps) {
  const { t, i18n } = useTranslation('data');
  const { progress, stop, restart } = useChildCount(database, path, isLive);
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
