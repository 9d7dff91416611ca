import { useEffect, useMemo, useState } from 'react';
import { type Account, searchAccounts } from '../../server/accounts.ts';
import type { Api } from '../../server/api.ts';
import { useApi, useProjectId } from '../../session/session.ts';

/** How far a search through all accounts has come. */
interface SearchProgress {
  readonly state:
    | { readonly kind: 'none' }
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'failed'; readonly error: unknown };
  readonly accounts: readonly Account[];
  /** Accounts that were looked at. */
  readonly looked: number;
}

export interface AccountSearch extends SearchProgress {
  /** Ends it; what was found stays. */
  stop(): void;
  /** Begins it anew. */
  restart(): void;
}

/** Accounts after which a search ends: whoever has so many writes more of what they look for. */
export const MAX_FOUND = 500;

/** How often what was found is shown, in milliseconds: it can come faster than it is drawn. */
const SHOW_MS = 100;

const NONE: SearchProgress = { state: { kind: 'none' }, accounts: [], looked: 0 };
const BEGUN: SearchProgress = { ...NONE, state: { kind: 'running' } };

/**
 * Looks for a text through all accounts as long as that is wanted and the view is on the screen, and anew when the accounts are
 * of another time.
 */
export function useAccountSearch(text: string, accountsAtMs: number, isWanted: boolean): AccountSearch {
  const api = useApi();
  const project = useProjectId();
  const [progress, setProgress] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [abort, setAbort] = useState<AbortController>();
  const request = useMemo(
    () => (isWanted ? { project, text, accountsAtMs, attempt } : undefined),
    [project, text, accountsAtMs, attempt, isWanted],
  );
  useEffect(() => {
    setProgress(request === undefined ? NONE : BEGUN);
    if (request === undefined) return undefined;
    const running = new AbortController();
    let isShown = true;
    setAbort(running);
    follow(api, request, running.signal, (next) => isShown && setProgress(next));
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, request]);
  return { ...progress, stop: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

interface SearchRequest {
  readonly project: string;
  readonly text: string;
}

function follow(
  api: Api,
  { project, text }: SearchRequest,
  signal: AbortSignal,
  show: (next: SearchProgress | ((before: SearchProgress) => SearchProgress)) => void,
): void {
  async function look(): Promise<void> {
    const accounts: Account[] = [];
    let shownAtMs = 0;
    for await (const line of searchAccounts(api, project, text, MAX_FOUND, signal)) {
      if (line.kind === 'account') accounts.push(line.account);
      if (line.kind === 'account' || (line.kind === 'progress' && Date.now() - shownAtMs < SHOW_MS)) continue;
      shownAtMs = Date.now();
      const state: SearchProgress['state'] =
        line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
      show({ state, accounts: [...accounts], looked: line.looked });
    }
  }
  look().catch((error: unknown) => {
    const state: SearchProgress['state'] = signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error };
    show((before) => ({ ...before, state }));
  });
}
