import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { type Account, findAccount } from '../../../api/accounts.ts';
import type { Auth, RefusedAct } from '../../../api/impersonation.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { authOfAccount, type ReadQuestion } from '../../rules/simulator/question.ts';

/** In whose place somebody looks at data, as the address says it. */
export type StandIn =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'account'; readonly uid: string }
  | { readonly kind: 'claims'; readonly auth: NonNullable<Auth> };

/** Parameter of the address. */
export const STAND_IN = 'as';

/** Longest text of claims, in characters: they are in every address. */
export const MAX_CLAIMS = 4_000;

const NOBODY = 'nobody';
const ACCOUNT = 'account:';

/** Whom a parameter names; `undefined` for nobody that could be found. */
export function parseStandIn(text: string): StandIn | undefined {
  if (text === NOBODY) return { kind: 'nobody' };
  if (text.startsWith(ACCOUNT) && text.length > ACCOUNT.length)
    return { kind: 'account', uid: text.slice(ACCOUNT.length) };
  const auth = parseClaims(text);
  return auth === undefined ? undefined : { kind: 'claims', auth };
}

export function encodeStandIn(standIn: StandIn): string {
  switch (standIn.kind) {
    case 'nobody':
      return NOBODY;
    case 'account':
      return `${ACCOUNT}${standIn.uid}`;
    case 'claims':
      return JSON.stringify(standIn.auth);
    default:
      return standIn satisfies never;
  }
}

/** The variable `auth` as somebody typed it; `undefined` for what is no JSON object, or too long. */
export function parseClaims(text: string): NonNullable<Auth> | undefined {
  if (text.length > MAX_CLAIMS) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function isObject(json: unknown): json is NonNullable<Auth> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

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

/** In whose place data are looked at, and what can be done about it. */
export interface Acting {
  readonly who: FoundStandIn;
  /** What rules refused last, until it is put away. */
  readonly refused: RefusedAct | null;
  forgetRefused(): void;
  /** Asks in whose place. */
  choose(): void;
  stop(): void;
  /** Shows why rules decide as they do; the asker is known. */
  explain(question: Omit<ReadQuestion, 'auth'>): void;
}

export const ActingContext = createContext<Acting | undefined>(undefined);

/** Throws outside of an `ActingContext`. */
export function useActing(): Acting {
  const acting = useContext(ActingContext);
  if (acting === undefined) throw new Error('This view has no impersonation context.');
  return acting;
}
