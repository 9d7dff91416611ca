import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type AuditEntry, readAudit } from '../../server/audit.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';

const PAGE = 100;

/** What entries must have, as the address says; an empty text stands for anything. */
export const AUDIT_FILTERS = ['event', 'result', 'uid', 'actor', 'requestId'] as const;
export type AuditFilterName = (typeof AUDIT_FILTERS)[number];
export type AuditFilterValues = Readonly<Record<AuditFilterName, string>>;

interface Audit {
  readonly entries: Loadable<readonly AuditEntry[]>;
  readonly filter: AuditFilterValues;
  changeFilter(name: AuditFilterName, value: string): void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

/** The audit of the project, the latest first, as far as it was asked for. */
export function useAudit(): Audit {
  const api = useApi();
  const project = useProjectId();
  const [search, setSearch] = useSearchParams();
  const textOf = (name: AuditFilterName): string => search.get(name) ?? '';
  const filter = {
    event: textOf('event'),
    result: textOf('result'),
    uid: textOf('uid'),
    actor: textOf('actor'),
    requestId: textOf('requestId'),
  };
  const query = useInfiniteQuery({
    queryKey: ['audit', project, filter],
    queryFn: ({ pageParam }) => readAudit(api, project, wantedOf(filter), pageParam ?? undefined, PAGE),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
  return {
    entries: loadableOf(query),
    filter,
    changeFilter(name, value) {
      const next = new URLSearchParams(search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      setSearch(next, { replace: true });
    },
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

function wantedOf(filter: AuditFilterValues): Partial<AuditFilterValues> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}
