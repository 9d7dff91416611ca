import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type Account, findAccount } from '../../../server/accounts.ts';
import type { Auth } from '../../../server/stand-in-api.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { authOfAccount } from '../../rules/simulator/auth-of-account.ts';
import { parseStandIn, type StandIn } from './stand-in.ts';

/** Whom rules are to judge, as far as that is known. */
export type FoundStandIn =
  /** Nobody but whoever is at the console. */
  | { readonly kind: 'oneself' }
  | { readonly kind: 'loading' }
  /** The address names nobody that could be found. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'absent'; readonly uid: string }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | {
      readonly kind: 'other';
      readonly standIn: StandIn;
      readonly auth: Auth;
      /** Of those who have one. */
      readonly account: Account | null;
      /** Was the account deleted since it was found? */
      readonly isGone: boolean;
    };

/** How often is looked whether an account is still there, and its claims the same, in milliseconds. */
const AGAIN_MS = 5_000;

const ONESELF: FoundStandIn = { kind: 'oneself' };
const UNREADABLE: FoundStandIn = { kind: 'unreadable' };
const LOADING: FoundStandIn = { kind: 'loading' };

/** Finds whom an address names; `null` for one that names nobody. An account that is deleted meanwhile is as it was. */
export function useStandIn(text: string | null): FoundStandIn {
  const api = useApi();
  const project = useProjectId();
  const standIn = useMemo(() => (text === null ? null : parseStandIn(text)), [text]);
  const uid = standIn?.kind === 'account' ? standIn.uid : null;
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts', project, 'stand-in', uid],
    queryFn: () => findAccount(api, project, uid ?? ''),
    enabled: uid !== null,
    refetchInterval: AGAIN_MS,
  });
  const [known, setKnown] = useState<Account | null>(null);
  useEffect(() => {
    if (data != null) setKnown(data);
  }, [data]);
  const before = known?.localId === uid ? known : null;
  const account = data ?? before;
  return useMemo((): FoundStandIn => {
    if (standIn === null) return ONESELF;
    if (standIn === undefined) return UNREADABLE;
    switch (standIn.kind) {
      case 'nobody':
        return { kind: 'other', standIn, auth: null, account: null, isGone: false };
      case 'claims':
        return { kind: 'other', standIn, auth: standIn.auth, account: null, isGone: false };
      case 'account':
        if (account !== null)
          return { kind: 'other', standIn, auth: authOfAccount(account), account, isGone: data === null };
        if (error !== null) return { kind: 'failed', error, retry: () => void refetch() };
        return data === null ? { kind: 'absent', uid: standIn.uid } : LOADING;
      default:
        return standIn satisfies never;
    }
  }, [standIn, account, data, error, refetch]);
}
