import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type Connection, listConnections } from '../../server/activity.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { useApi } from '../../session/session.ts';

const PAGE = 100;
/** Connections come and go; so often the list is asked for again. */
const REFRESH_MS = 3_000;

interface Connections {
  readonly connections: Loadable<readonly Connection[]>;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  /** The one whose details the address asks for. */
  readonly chosen: number | undefined;
  open(id: number | undefined): void;
}

/** Who is connected to a database, asked for again every few seconds. */
export function useConnections(database: string): Connections {
  const api = useApi();
  const [search, setSearch] = useSearchParams();
  const query = useInfiniteQuery({
    queryKey: ['connections', database],
    queryFn: ({ pageParam }) => listConnections(api, database, pageParam ?? undefined, PAGE),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
    select: ({ pages }) => pages.flatMap(({ connections }) => connections),
  });
  const chosen = Number(search.get('connection') ?? Number.NaN);
  return {
    connections: loadableOf(query),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    chosen: Number.isInteger(chosen) ? chosen : undefined,
    open(id) {
      const next = new URLSearchParams(search);
      if (id === undefined) next.delete('connection');
      else next.set('connection', String(id));
      setSearch(next);
    },
  };
}
