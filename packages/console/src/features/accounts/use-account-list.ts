import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import {
  type Account,
  type AccountPage,
  findByPhone,
  listAccounts,
  listLatest,
} from '../../server/accounts.ts';
import type { Api } from '../../server/api.ts';
import { isForbidden } from '../../server/api-error.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { isPhoneNumber, type ListView, phoneNumberOf } from './list-view.ts';

const PAGE_ACCOUNTS = 100;
/** Accounts that a search looks at before it asks whether to go on. */
const UNASKED_LOOKED = 50_000;
const ENOUGH_FOUND = 100;

/** Which page comes next: one of the list, what a name begins with, or the next part of a search through all. */
type PageParam =
  | { readonly kind: 'list' | 'search'; readonly after: string | undefined }
  | { readonly kind: 'names' };

interface ListPage extends Omit<AccountPage, 'next'> {
  readonly next: PageParam | null;
}

export type AccountList =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | {
      readonly kind: 'ready';
      readonly accounts: readonly Account[];
      /** Accounts that a search has looked at. */
      readonly looked: number;
      readonly isFetching: boolean;
      /** Fetches what follows; `null` at the end. */
      readonly more: (() => void) | null;
    };

/** The accounts of the project that a view shows, as far as they have been fetched. */
export function useAccountList(view: ListView): AccountList {
  const api = useApi();
  const project = useProjectId();
  const { order, text } = view;
  const isSearch = text !== '';
  const query = useInfiniteQuery({
    queryKey: ['accounts', project, 'list', order, text],
    queryFn: ({ pageParam, signal }) => readPage(api, project, view, pageParam, signal),
    initialPageParam: (isSearch ? { kind: 'names' } : { kind: 'list', after: undefined }) as PageParam,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const pages = data?.pages;
  const accounts = useMemo(() => withoutDoubles((pages ?? []).flatMap((page) => page.accounts)), [pages]);
  const looked = (pages ?? []).reduce((sum, page) => sum + page.looked, 0);
  const goesOn =
    isSearch && hasNextPage && error === null && looked < UNASKED_LOOKED && accounts.length < ENOUGH_FOUND;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  if (pages === undefined) {
    if (error === null) return { kind: 'loading' };
    if (isForbidden(error)) return { kind: 'forbidden', error };
    return { kind: 'failed', error, retry: () => void refetch() };
  }
  const more = hasNextPage ? () => void (isFetching || fetchNextPage()) : null;
  return { kind: 'ready', accounts, looked, isFetching: isFetching || goesOn, more };
}

async function readPage(
  api: Api,
  project: string,
  { order, text }: ListView,
  page: PageParam,
  signal: AbortSignal,
): Promise<ListPage> {
  if (page.kind === 'names') return readNamed(api, project, text, signal);
  if (page.kind === 'search') {
    const { next, ...found } = await listAccounts(
      api,
      project,
      { text, after: page.after, limit: PAGE_ACCOUNTS },
      signal,
    );
    return { ...found, next: next === null ? null : { kind: 'search', after: next } };
  }
  if (order === 'created' || order === 'seen') {
    const sortBy = order === 'created' ? 'CREATED_AT' : 'LAST_LOGIN_AT';
    const accounts = await listLatest(api, project, sortBy, signal);
    return { accounts, next: null, looked: 0 };
  }
  const { accounts, next } = await listAccounts(
    api,
    project,
    { by: order, after: page.after, limit: PAGE_ACCOUNTS },
    signal,
  );
  return { accounts, looked: 0, next: next === null ? null : { kind: 'list', after: next } };
}

/** What indexes tell at once: whose address or user id begins with the text, and whose number it is. */
async function readNamed(api: Api, project: string, text: string, signal: AbortSignal): Promise<ListPage> {
  const [byEmail, byUid, byPhone] = await Promise.all([
    listAccounts(api, project, { by: 'email', prefix: text.toLowerCase(), limit: PAGE_ACCOUNTS }, signal),
    listAccounts(api, project, { by: 'uid', prefix: text, limit: PAGE_ACCOUNTS }, signal),
    isPhoneNumber(text) ? findByPhone(api, project, phoneNumberOf(text)) : [],
  ]);
  const accounts = [...byPhone, ...byEmail.accounts, ...byUid.accounts];
  return { accounts, looked: 0, next: { kind: 'search', after: undefined } };
}

function withoutDoubles(accounts: readonly Account[]): readonly Account[] {
  return [...new Map(accounts.map((account) => [account.localId, account])).values()];
}
