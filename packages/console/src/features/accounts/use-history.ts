import { useInfiniteQuery } from '@tanstack/react-query';
import { type HistoryEntry, listHistory } from '../../server/accounts-history.ts';
import { isForbidden } from '../../server/api-error.ts';
import type { Loadable } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface History {
  readonly entries: Loadable<readonly HistoryEntry[]>;
  readonly isFetching: boolean;
  /** Fetches earlier ones; `null` at the end. */
  readonly more: (() => void) | null;
}

/** What happened to an account, the latest first. */
export function useHistory(uid: string): History {
  const api = useApi();
  const project = useProjectId();
  const query = useInfiniteQuery({
    queryKey: ['account', project, uid, 'history'],
    queryFn: ({ pageParam, signal }) => listHistory(api, project, uid, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  return {
    entries: entriesOf(),
    isFetching,
    more: hasNextPage ? () => void fetchNextPage() : null,
  };
  function entriesOf(): Loadable<readonly HistoryEntry[]> {
    if (data !== undefined) return { kind: 'ready', data: data.pages.flatMap((page) => page.entries) };
    if (error === null) return { kind: 'loading' };
    if (isForbidden(error)) return { kind: 'forbidden', error };
    return { kind: 'failed', error, retry: () => void refetch() };
  }
}
