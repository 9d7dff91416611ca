import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { type Account, findAccount } from '../../../api/accounts.ts';
import type { Auth, DeniedAction } from '../../../api/impersonation.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { authOfAccount, type ReadQuestion } from '../../rules/simulator/question.ts';

/** The impersonated principal, as the address names it: an anonymous client, an account, or any `auth` variable. */
export type ImpersonatedPrincipal =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'account'; readonly uid: string }
  | { readonly kind: 'claims'; readonly auth: NonNullable<Auth> };

/** Name of the address parameter that names the principal. */
export const IMPERSONATED = 'as';

/** Maximum length of claims in UTF-16 code units, so that the address, which contains them, is not too long. */
export const MAX_CLAIMS = 4_000;

const ANONYMOUS = 'nobody';
const ACCOUNT = 'account:';

/** Parses the address parameter; `undefined` if it is invalid. */
export function parseImpersonated(text: string): ImpersonatedPrincipal | undefined {
  if (text === ANONYMOUS) return { kind: 'nobody' };
  if (text.startsWith(ACCOUNT) && text.length > ACCOUNT.length)
    return { kind: 'account', uid: text.slice(ACCOUNT.length) };
  const auth = parseClaims(text);
  return auth === undefined ? undefined : { kind: 'claims', auth };
}

export function encodeImpersonated(impersonated: ImpersonatedPrincipal): string {
  switch (impersonated.kind) {
    case 'nobody':
      return ANONYMOUS;
    case 'account':
      return `${ACCOUNT}${impersonated.uid}`;
    case 'claims':
      return JSON.stringify(impersonated.auth);
    default:
      return impersonated satisfies never;
  }
}

/** Parses a typed value of the variable `auth`; `undefined` if it is not a JSON object, or too long. */
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

/** The principal for which rules are evaluated, or the reason why it is not known. */
export type FoundPrincipal =
  /** No impersonation: the principal is the member. */
  | { readonly kind: 'self' }
  | { readonly kind: 'loading' }
  /** The parameter of the address is invalid. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'absent'; readonly uid: string }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | {
      readonly kind: 'other';
      readonly impersonated: ImpersonatedPrincipal;
      readonly auth: Auth;
      /** The account, if the principal is one. */
      readonly account: Account | null;
      /** Whether the account was deleted since it was found. */
      readonly isRemoved: boolean;
    };

/** Interval in ms at which the account is loaded again, to notice its deletion and changed claims. */
const REFETCH_INTERVAL_MS = 5_000;

const SELF: FoundPrincipal = { kind: 'self' };
const UNREADABLE: FoundPrincipal = { kind: 'unreadable' };
const LOADING: FoundPrincipal = { kind: 'loading' };

/**
 * Finds the principal that a parameter names; `null` means no impersonation. An account that is deleted during the impersonation
 * keeps its last known claims.
 */
export function useImpersonatedPrincipal(text: string | null): FoundPrincipal {
  const api = useApi();
  const project = useProjectId();
  const impersonated = useMemo(() => (text === null ? null : parseImpersonated(text)), [text]);
  const uid = impersonated?.kind === 'account' ? impersonated.uid : null;
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts', project, 'impersonated', uid],
    queryFn: () => findAccount(api, project, uid ?? ''),
    enabled: uid !== null,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  const [known, setKnown] = useState<Account | null>(null);
  useEffect(() => {
    if (data != null) setKnown(data);
  }, [data]);
  const before = known?.localId === uid ? known : null;
  const account = data ?? before;
  return useMemo((): FoundPrincipal => {
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

/** The current impersonation, with functions to change it. */
export interface Impersonation {
  readonly who: FoundPrincipal;
  /** The latest denied action; `null` if there is none, or after `clearDenied`. */
  readonly denied: DeniedAction | null;
  clearDenied(): void;
  /** Opens the dialog that chooses the principal. */
  choose(): void;
  stop(): void;
  /** Opens the dialog that explains a decision of rules for the current principal. */
  explain(question: Omit<ReadQuestion, 'auth'>): void;
}

export const ImpersonationContext = createContext<Impersonation | undefined>(undefined);

/** Returns the current impersonation. Throws outside an `ImpersonationContext`. */
export function useImpersonation(): Impersonation {
  const impersonation = useContext(ImpersonationContext);
  if (impersonation === undefined) throw new Error('This view has no impersonation context.');
  return impersonation;
}
