import { useEffect, useState } from 'react';
import { type SearchLine, type SearchRequest, searchNodes } from '../../../server/data-search.ts';
import { useApi } from '../../../session/session.ts';

export type Hit = Extract<SearchLine, { kind: 'hit' }>;

/** How far a search has come. */
export interface Search {
  readonly hits: readonly Hit[];
  /** Values and keys that were looked at. */
  readonly entries: number;
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'failed'; readonly error: Error };
  cancel(): void;
}

/** How often what was found is shown, in milliseconds: hits can come faster than they are drawn. */
const SHOW_MS = 100;

/** Looks for a text as long as the view is there. The request must keep its identity while it is the same. */
export function useSearch(database: string, request: SearchRequest): Search {
  const api = useApi();
  const [shown, setShown] = useState<Omit<Search, 'cancel'>>(NOTHING_YET);
  const [abort, setAbort] = useState<AbortController | null>(null);
  useEffect(() => {
    const running = new AbortController();
    setAbort(running);
    setShown(NOTHING_YET);
    async function look(): Promise<void> {
      const hits: Hit[] = [];
      let entries = 0;
      let shownAtMs = 0;
      for await (const line of searchNodes(api, database, request, running.signal)) {
        if (line.kind === 'hit') hits.push(line);
        else entries = line.entries;
        const state: Search['state'] =
          line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
        if (line.kind !== 'done' && Date.now() - shownAtMs < SHOW_MS) continue;
        shownAtMs = Date.now();
        setShown({ hits: [...hits], entries, state });
      }
    }
    look().catch((cause: unknown) =>
      setShown((before) => ({
        ...before,
        state: running.signal.aborted
          ? { kind: 'cancelled' }
          : { kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) },
      })),
    );
    return () => running.abort();
  }, [api, database, request]);
  return { ...shown, cancel: () => abort?.abort() };
}

const NOTHING_YET: Omit<Search, 'cancel'> = { hits: [], entries: 0, state: { kind: 'running' } };
