import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { isIncomplete } from '../../../api/client.ts';
import { countChildren } from '../../../api/data.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';
import type { TreeModel } from './tree-model.ts';

/** State of a count. */
type CountProgress =
  /** The server has not responded yet. */
  | { readonly kind: 'unknown' }
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

interface ChildCountProps {
  /** The tree whose root is the node at `path`. */
  readonly model: TreeModel;
  readonly database: string;
  readonly path: NodePath;
  /** Whether the view follows changes. */
  readonly isLive: boolean;
}

/**
 * Follows the number of children of the root of a tree. If the root has an outline, the first number is from the outline, so
 * that the server counts the children only once. While `isLive` is true, the server counts them again after a delay. Returns
 * the progress of the first count, and then the result of each count.
 */
function useChildCount({ model, database, path, isLive }: ChildCountProps): Counting {
  const api = useApi();
  const known = useSyncExternalStore(model.subscribe, () => model.rootCount);
  const [progress, setProgress] = useState<CountProgress>({ kind: 'unknown' });
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  const mayCount = useRef(isLive);
  mayCount.current = isLive;
  const isCounted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another node has another count, and a new attempt begins again.
  useEffect(() => {
    isCounted.current = false;
    setProgress({ kind: 'unknown' });
  }, [api, database, path, attempt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    let timer: ReturnType<typeof setTimeout>;
    let isShown = true;
    setAbort(running);
    /** Shows a count. A complete one stays until the next complete one. */
    function show(next: CountProgress): void {
      if (!isShown) return;
      if (next.kind === 'counted') isCounted.current = true;
      if (next.kind === 'counted' || !isCounted.current) setProgress(next);
    }
    async function follow(): Promise<void> {
      let count = 0;
      const startMs = performance.now();
      try {
        for await (const line of countChildren(api, database, path, signal)) {
          count = line.count;
          show({ kind: line.kind === 'done' ? 'counted' : 'counting', count });
        }
        countAgain(performance.now() - startMs);
      } catch (error) {
        show(signal.aborted || isIncomplete(error) ? { kind: 'stopped', count } : { kind: 'not-counted' });
        if (isCounted.current) countAgain(performance.now() - startMs);
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
          if (kind === 'done') show({ kind: 'counted', count });
      } catch {
        // The last count stays until the server responds again. The tree shows that the connection is lost.
      }
      countAgain(performance.now() - startMs);
    }
    if (known.kind === 'not-outlined') void follow();
    else {
      show(known);
      if (isCounted.current) countAgain(known.kind === 'counted' ? known.durationMs : 0);
    }
    return () => {
      isShown = false;
      clearTimeout(timer);
      running.abort();
    };
  }, [api, database, path, known, attempt]);
  const isOutlined = known.kind !== 'not-outlined';
  return {
    progress,
    stop: () => (isOutlined ? model.stopOutline() : abort?.abort()),
    restart() {
      if (isOutlined) model.restartOutline();
      setAttempt((before) => before + 1);
    },
  };
}

/**
 * Shows the number of children that the server has counted. The user can stop the count, and start a stopped count
 * again.
 */
export function ChildCount(props: ChildCountProps) {
  const { t, i18n } = useTranslation('data');
  const { progress, stop, restart } = useChildCount(props);
  if (progress.kind === 'unknown' || progress.kind === 'not-counted') return null;
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
