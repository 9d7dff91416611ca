import { useEffect, useState } from 'react';
import { isBrokenOff } from '../../../server/api-error.ts';
import { countChildren } from '../../../server/data.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';

/** How far a count has come. */
type CountProgress =
  | { readonly kind: 'asked' }
  | { readonly kind: 'counting'; readonly count: number }
  | { readonly kind: 'counted'; readonly count: number }
  /** Somebody has ended it, or it broke off. */
  | { readonly kind: 'stopped'; readonly count: number }
  /** There is nobody who could count them. */
  | { readonly kind: 'not-counted' };

interface Counting {
  readonly progress: CountProgress;
  stop(): void;
  /** Begins it anew. */
  restart(): void;
}

/** Has the server count the children of a node as long as the view is on the screen. */
export function useChildCount(database: string, path: NodePath): Counting {
  const api = useApi();
  const [progress, setProgress] = useState<CountProgress>({ kind: 'asked' });
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for the same once more.
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    let isShown = true;
    setAbort(running);
    setProgress({ kind: 'asked' });
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
            signal.aborted || isBrokenOff(error) ? { kind: 'stopped', count } : { kind: 'not-counted' },
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
