import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { type Account, findAccount } from '../../../api/accounts.ts';
import type { Auth, DeniedAction } from '../../../api/impersonation.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { authOfAccount, type ReadQuestion } from '../../rules/simulator/question.ts';

/** In whose place somebody looks at data, as the address says it. */
export type ImpersonatedCaller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'account'; readonly uid: string }
  | { readonly kind: 'claims'; readonly auth: NonNullable<Auth> };

/** Parameter of the address. */
export const IMPERSONATED = 'as';

/** Longest text of claims, in characters: they are in every address. */
export const MAX_CLAIMS = 4_000;

const ANONYMOUS_CALLER = 'nobody';
const ACCOUNT = 'account:';

/** Whom a parameter names; `undefined` for nobody that could be found. */
export function parseImpersonated(text: string): ImpersonatedCaller | undefined {
  if (text === ANONYMOUS_CALLER) return { kind: 'nobody' };
  if (text.startsWith(ACCOUNT) && text.length > ACCOUNT.length)
    return { kind: 'account', uid: text.slice(ACCOUNT.length) };
  const auth = parseClaims(text);
  return auth === undefined ? undefined : { kind: 'claims', auth };
}

export function encodeImpersonated(impersonated: ImpersonatedCaller): string {
  switch (impersonated.kind) {
    case 'nobody':
      return ANONYMOUS_CALLER;
    case 'account':
      return `${ACCOUNT}${impersonated.uid}`;
    case 'claims':
      return JSON.stringify(impersonated.auth);
    default:
      return impersonated satisfies never;
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
export type FoundImpersonatedCaller =
  /** Nobody but whoever is at the console. */
  | { readonly kind: 'oneself' }
  | { readonly kind: 'loading' }
  /** The address names nobody that could be found. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'absent'; readonly uid: string }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | {
      readonly kind: 'other';
      readonly impersonated: ImpersonatedCaller;
      readonly auth: Auth;
      /** Of those who have one. */
      readonly account: Account | null;
      /** Was the account deleted since it was found? */
      readonly isRemoved: boolean;
    };

/** How often is looked whether an account is still there, and its claims the same, in milliseconds. */
const AGAIN_MS = 5_000;

const SELF: FoundImpersonatedCaller = { kind: 'oneself' };
const UNREADABLE: FoundImpersonatedCaller = { kind: 'unreadable' };
const LOADING: FoundImpersonatedCaller = { kind: 'loading' };

/** Finds whom an address names; `null` for one that names nobody. An account that is deleted meanwhile is as it was. */
export function useImpersonatedCaller(text: string | null): FoundImpersonatedCaller {
  const api = useApi();
  const project = useProjectId();
  const impersonated = useMemo(() => (text === null ? null : parseImpersonated(text)), [text]);
  const uid = impersonated?.kind === 'account' ? impersonated.uid : null;
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
  return useMemo((): FoundImpersonatedCaller => {
    if (impersonated === null) return SELF;
    if (impersonated === undefined) return UNREADABLE;
    switch (impersonated.kind) {
      case 'nobody':
        return { kind: 'other', impersonated, auth: null, account: null, isRemoved: false };
      case 'claims':
        return { kind: 'other', impersonated, auth: impersonated.auth, account: null, isRemoved: false };
      case 'account':
        if (account !== null)
          return {
            kind: 'other',
            impersonated,
            auth: authOfAccount(account),
            account,
            isRemoved: data === null,
          };
        if (error !== null) return { kind: 'failed', error, retry: () => void refetch() };
        return data === null ? { kind: 'absent', uid: impersonated.uid } : LOADING;
      default:
        return impersonated satisfies never;
    }
  }, [impersonated, account, data, error, refetch]);
}

/** In whose place data are looked at, and what can be done about it. */
export interface Impersonation {
  readonly who: FoundImpersonatedCaller;
  /** What rules refused last, until it is put away. */
  readonly refused: DeniedAction | null;
  clearDenied(): void;
  /** Asks in whose place. */
  choose(): void;
  stop(): void;
  /** Shows why rules decide as they do; the asker is known. */
  explain(question: Omit<ReadQuestion, 'auth'>): void;
}

export const ImpersonationContext = createContext<Impersonation | undefined>(undefined);

/** Throws outside of an `ImpersonationContext`. */
export function useImpersonation(): Impersonation {
  const impersonation = useContext(ImpersonationContext);
  if (impersonation === undefined) throw new Error('This view has no impersonation context.');
  return impersonation;
}
