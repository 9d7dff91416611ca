import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listSignIns } from '../../../api/account-security.ts';
import type { AuditEntry, AuditPage } from '../../../api/audit.ts';
import { isForbidden } from '../../../api/client.ts';
import type { Loadable } from '../../../api/query-state.ts';
import { useApi } from '../../../session/session.ts';
import { useAccountScope } from '../use-accounts.ts';

/** An entry of the timeline, with the values that the page shows. */
export interface SignIn {
  readonly outcome: 'signedIn' | 'signedUp' | 'asked' | 'recovered' | 'unconfirmed' | 'rejected';
  /** The error code of a rejected attempt. */
  readonly error: string | undefined;
  /** A provider such as `password`; `undefined` if the entry names none. */
  readonly method: string | undefined;
  /** The kind of the second factor, such as `totp`; `undefined` if none was used. */
  readonly secondFactor: string | undefined;
  readonly isHostedPage: boolean;
}

/** Suffix of the detail of a sign-in that an app takes over from the hosted page. */
const HOSTED = ' on the hosted page';

/** Events whose detail names the sign-in method. */
const WITH_METHOD: readonly string[] = ['sign_in', 'sign_up', 'provider_unconfirmed'];

const OUTCOMES: ReadonlyMap<string, SignIn['outcome']> = new Map([
  ['sign_in', 'signedIn'],
  ['sign_up', 'signedUp'],
  ['second_factor_asked', 'asked'],
  ['recovery_code_used', 'recovered'],
  ['provider_unconfirmed', 'unconfirmed'],
]);

/** Detail of a rejected second factor, which names no method. */
const UNNAMED = 'second factor';

/** Parses an entry of the audit log about a sign-in. The detail is a method such as `password`, or `password+totp`. */
export function parseSignIn({ event, result, detail }: AuditEntry): SignIn {
  const text = WITH_METHOD.includes(event) ? (detail ?? '') : '';
  const isHostedPage = text.endsWith(HOSTED);
  const named = isHostedPage ? text.slice(0, -HOSTED.length) : text;
  const [method = '', secondFactor] = named === UNNAMED ? [] : named.split('+');
  const outcome = result === 'ok' ? (OUTCOMES.get(event) ?? 'rejected') : 'rejected';
  return {
    outcome,
    error: result === 'ok' ? undefined : result,
    method: method === '' ? undefined : method,
    secondFactor: secondFactor === '' ? undefined : secondFactor,
    isHostedPage,
  };
}

/** Interval between requests for new entries, in ms. */
const LIVE_MS = 5_000;

/**
 * Requests for new entries begin this long before the newest known one, in ms: the server adds an event that repeats within a
 * minute to the earlier entry.
 */
const REPEATED_MS = 60_000;

/** Maximum number of pages of earlier entries. The audit log shows all. */
const MAX_PAGES = 5;

interface SignIns {
  readonly entries: Loadable<readonly AuditEntry[]>;
  readonly isFetching: boolean;
  /** Fetches earlier entries; `null` if there are none, or the limit is reached. */
  readonly more: (() => void) | null;
  /** Whether there are earlier entries that only the audit log shows. */
  readonly isCut: boolean;
}

/** Loads the sign-ins and rejected attempts of an account, latest first, and new ones while the page is open. */
export function useSignIns(uid: string): SignIns {
  const api = useApi();
  const scope = useAccountScope();
  const key = ['account', scope.project, scope.tenant ?? null, uid, 'sign-ins'];
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => listSignIns(api, scope, uid, { before: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const known = data?.pages.flatMap((page) => page.entries) ?? [];
  const sinceMs = known[0]?.timeMs;
  // Reads only what is new, because the server finds the entries of one account by reading those of all.
  const { data: live } = useQuery({
    queryKey: [...key, 'live', sinceMs ?? null],
    queryFn: ({ signal }): Promise<AuditPage> =>
      listSignIns(api, scope, uid, { since: (sinceMs ?? Date.now()) - REPEATED_MS }, signal),
    enabled: data !== undefined,
    refetchInterval: LIVE_MS,
  });
  const isCut = (data?.pages.length ?? 0) >= MAX_PAGES && hasNextPage;
  return {
    entries: entriesOf(),
    isFetching,
    more: hasNextPage && !isCut ? () => void fetchNextPage() : null,
    isCut,
  };
  function entriesOf(): Loadable<readonly AuditEntry[]> {
    if (data !== undefined) return { kind: 'ready', data: joined(known, live?.entries ?? []) };
    if (error === null) return { kind: 'loading' };
    if (isForbidden(error)) return { kind: 'forbidden', error };
    return { kind: 'failed', error, retry: () => void refetch() };
  }
}

/** Returns all entries once, latest first. Of the same entry in both lists, the one in `latest` counts. */
function joined(entries: readonly AuditEntry[], latest: readonly AuditEntry[]): readonly AuditEntry[] {
  const ids = new Set(latest.map(({ id }) => id));
  return [...latest, ...entries.filter(({ id }) => !ids.has(id))];
}
