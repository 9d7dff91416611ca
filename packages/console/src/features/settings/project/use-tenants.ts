import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Loadable, loadable, useChanges } from '../../../api/query-state.ts';
import {
  changeTenant,
  createTenant,
  deleteTenant,
  listTenants,
  type Tenant,
  type TenantSettings,
} from '../../../api/tenants.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

interface TenantList {
  readonly tenants: readonly Tenant[];
  /** The number of tenants of the project. */
  readonly count: number;
  /** Fetches the next page; `null` after the last one. */
  readonly more: (() => void) | null;
  readonly isFetching: boolean;
}

interface Tenants {
  readonly list: Loadable<TenantList>;
  create(settings: TenantSettings): Promise<void>;
  change(id: string, settings: TenantSettings): Promise<void>;
  remove(id: string): Promise<void>;
}

const PAGE_TENANTS = 100;

/**
 * Loads the tenants of the project, or those that a text finds. Also returns functions that change them. These reject with an
 * `ApiError`. When a change resolves, the list is up to date.
 */
export function useTenants(text: string): Tenants {
  const api = useApi();
  const project = useProjectId();
  const run = useChanges(['tenants', project]);
  const query = useInfiniteQuery({
    queryKey: ['tenants', project, 'list', text],
    queryFn: ({ pageParam: after, signal }) =>
      listTenants(
        api,
        project,
        text === '' ? { after, limit: PAGE_TENANTS } : { text, limit: PAGE_TENANTS },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  return {
    list: loadable(
      data && {
        tenants: data.pages.flatMap(({ tenants }) => tenants),
        count: data.pages[0]?.count ?? 0,
        more: hasNextPage ? () => void fetchNextPage() : null,
        isFetching,
      },
      error,
      () => void refetch(),
    ),
    create: (settings) => run(() => createTenant(api, project, settings)),
    change: (id, settings) => run(() => changeTenant(api, project, id, settings)),
    remove: (id) => run(() => deleteTenant(api, project, id)),
  };
}
