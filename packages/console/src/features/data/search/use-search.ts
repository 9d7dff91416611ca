import { useEffect, useState } from 'react';
import { type SearchLine, type SearchRequest, searchNodes } from '../../../server/data-search.ts';
import { useApi } from '../../../session/session.ts';

export type Hit = Extract<SearchLine, { kind: 'hit' }>;

/** How far a search has come. */
interface SearchProgress {
  readonly hits: readonly Hit[];
  /** Values and keys that were looked at. */
  readonly entries: number;
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'failed'; readonly error: Error };
}

export interface Search extends SearchProgress {
  /** Ends it; what was found stays. */
  cancel(): void;
  /** Begins it anew. */
  restart(): void;
}

/** How often what was found is shown, in milliseconds: hits can come faster than they are drawn. */
const SHOW_MS = 100;

/** Looks for a text as long as the view is there. The request must keep its identity while it is the same. */
export function useSearch(database: string, request: SearchRequest): Search {
  const api = useApi();
  const [shown, setShown] = useState<SearchProgress>(NOTHING_YET);
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for the same once more.
  useEffect(() => {
    const running = new AbortController();
    // What has to make room for another search tells nothing more.
    let isShown = true;
    setAbort(running);
    setShown(NOTHING_YET);
    async function look(): Promise<void> {
      const hits: Hit[] = [];
      let entries = 0;
      let shownAtMs = 0;
      for await (const line of searchNodes(api, database, request, running.signal)) {
        if (line.kind === 'hit') hits.push(line);
        else entries = line.entries;
        const state: SearchProgress['state'] =
          line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
        if (line.kind !== 'done' && Date.now() - shownAtMs < SHOW_MS) continue;
        shownAtMs = Date.now();
        setShown({ hits: [...hits], entries, state });
      }
    }
    look().catch((cause: unknown) => {
      if (!isShown) return;
      const state: SearchProgress['state'] = running.signal.aborted
        ? { kind: 'cancelled' }
        : { kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) };
      setShown((before) => ({ ...before, state }));
    });
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, database, request, attempt]);
  return { ...shown, cancel: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

const NOTHING_YET: SearchProgress = { hits: [], entries: 0, state: { kind: 'running' } };
