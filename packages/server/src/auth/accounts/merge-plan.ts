import { MAX_CUSTOM_CLAIMS_LENGTH } from '@hearth/core/api/custom-claims.ts';
import { MAX_FACTORS } from '../mfa/policy.ts';
import { MAX_PASSKEYS } from '../passkeys/passkey.ts';
import type { Account, SecondFactor } from './account.ts';

/** A part of the account that a merge removes, as the preview shows it. Never contains a secret. */
export interface MergedPart {
  readonly kind:
    | 'email'
    | 'password'
    | 'phone'
    | 'name'
    | 'photo'
    | 'provider'
    | 'factor'
    | 'recovery-codes'
    | 'passkey'
    | 'claim';
  /** An address, a number or a name; empty for a password and for recovery codes. */
  readonly text: string;
}

/** Why two accounts cannot be merged. */
export type MergeProblem =
  /** One of them is that of a member of the project. */
  | 'member'
  /** The remaining account would have second factors and no verified address. */
  | 'unverified-email';

/** The result of merging two accounts. */
export interface MergePlan {
  /** The remaining account, before its times and the secrets of its factors are set. */
  readonly merged: Account;
  /** What the remaining account gets from the other one. */
  readonly moved: readonly MergedPart[];
  /** What the removed account alone has, and what ends with it. */
  readonly lost: readonly MergedPart[];
  readonly problem: MergeProblem | null;
}

/**
 * The members of an account that a rule of the merge decides, and the parts of the removed account that move or are
 * lost.
 */
interface Step {
  readonly change: Partial<Account>;
  readonly moved: readonly MergedPart[];
  readonly lost: readonly MergedPart[];
}

type MergeStep = (into: Account, from: Account) => Step;

const NOTHING: Step = { change: {}, moved: [], lost: [] };

/**
 * Plans the merge of `from` into `into`. What `into` has, it keeps; what it lacks, it gets from `from`. The account is
 * disabled if one of the two is.
 */
export function planMerge(into: Account, from: Account): MergePlan {
  const steps: readonly MergeStep[] = [
    mergeEmail,
    mergePhone,
    mergeProfile,
    mergeIdentities,
    mergeFactors,
    mergePasskeys,
    mergeClaims,
  ];
  const results = steps.map((step) => step(into, from));
  const kept: Account = {
    ...into,
    isDisabled: into.isDisabled || from.isDisabled,
    createdAtMs: Math.min(into.createdAtMs, from.createdAtMs),
    lastLoginAtMs: latest(into.lastLoginAtMs, from.lastLoginAtMs),
    lastRefreshAtMs: latest(into.lastRefreshAtMs, from.lastRefreshAtMs),
  };
  const merged = Object.assign<Account, Partial<Account>>(
    kept,
    Object.assign({}, ...results.map(({ change }) => change)),
  );
  const isProven = merged.email !== null && merged.isEmailVerified;
  return {
    // Nothing that came from the other account counts as added by a user who has proven the address of this one.
    merged: isProven ? merged : withoutProofs(merged),
    moved: results.flatMap(({ moved }) => moved),
    lost: results.flatMap(({ lost }) => lost),
    problem: merged.factors.length > 0 && !isProven ? 'unverified-email' : null,
  };
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function withoutProofs(account: Account): Account {
  return {
    ...account,
    identities: account.identities.map((identity) => ({ ...identity, wasLinkedVerified: false })),
    passkeys: account.passkeys.map((passkey) => ({ ...passkey, wasAddedVerified: false })),
  };
}

/** The password moves only with its address: it was never set for the other one. */
const mergeEmail: MergeStep = (into, from) => {
  if (from.email === null) return NOTHING;
  const parts: readonly MergedPart[] = [
    { kind: 'email', text: from.email },
    ...(from.password === null ? [] : [{ kind: 'password', text: '' } as const]),
  ];
  if (into.email !== null) return { change: {}, moved: [], lost: parts };
  const { email, isEmailVerified, password, passwordUpdatedAtMs, isPasswordProven, hasEmailLink } = from;
  return {
    change: { email, isEmailVerified, password, passwordUpdatedAtMs, isPasswordProven, hasEmailLink },
    moved: parts,
    lost: [],
  };
};

const mergePhone: MergeStep = (into, from) =>
  mergeValue(into.phoneNumber, from.phoneNumber, 'phone', (phoneNumber) => ({ phoneNumber }));

const mergeProfile: MergeStep = (into, from) => {
  const name = mergeValue(into.displayName, from.displayName, 'name', (displayName) => ({ displayName }));
  const photo = mergeValue(into.photoUrl, from.photoUrl, 'photo', (photoUrl) => ({ photoUrl }));
  return {
    change: { ...name.change, ...photo.change },
    moved: [...name.moved, ...photo.moved],
    lost: [...name.lost, ...photo.lost],
  };
};

function mergeValue(
  kept: string | null,
  other: string | null,
  kind: MergedPart['kind'],
  change: (text: string) => Partial<Account>,
): Step {
  if (other === null || other === kept) return NOTHING;
  const part = { kind, text: other };
  return kept === null
    ? { change: change(other), moved: [part], lost: [] }
    : { change: {}, moved: [], lost: [part] };
}

/** An account has one identity at each provider. */
const mergeIdentities: MergeStep = (into, from) => {
  const had = new Set(into.identities.map(({ providerId }) => providerId));
  return split(
    from.identities,
    ({ providerId }) => !had.has(providerId),
    ({ providerId, email }) => ({
      kind: 'provider',
      text: email === null ? providerId : `${providerId}: ${email}`,
    }),
    (moved) => ({ identities: [...into.identities, ...moved] }),
  );
};

const mergeFactors: MergeStep = (into, from) => {
  const phones = new Set(into.factors.map(phoneOf));
  const hasApp = into.factors.some(({ kind }) => kind === 'totp');
  let room = MAX_FACTORS - into.factors.length;
  const factors = split(
    from.factors,
    (factor) => {
      const isNew = factor.kind === 'phone' ? !phones.has(factor.phoneNumber) : !hasApp;
      return isNew && room-- > 0;
    },
    (factor) => ({ kind: 'factor', text: phoneOf(factor) ?? factor.displayName ?? '' }),
    (moved) => ({ factors: [...into.factors, ...moved] }),
  );
  if (from.recoveryCodes.length === 0) return factors;
  const codes = { kind: 'recovery-codes', text: '' } as const;
  // Recovery codes replace the factors with which they were made.
  return into.factors.length === 0 && factors.moved.length > 0
    ? {
        ...factors,
        change: { ...factors.change, recoveryCodes: from.recoveryCodes },
        moved: [...factors.moved, codes],
      }
    : { ...factors, lost: [...factors.lost, codes] };
};

function phoneOf(factor: SecondFactor): string | undefined {
  return factor.kind === 'phone' ? factor.phoneNumber : undefined;
}

/** Authenticators have stored the handle of their account, and an account has one. */
const mergePasskeys: MergeStep = (into, from) => {
  const isSameUser = into.passkeys.length === 0 || into.passkeyHandle === from.passkeyHandle;
  let room = MAX_PASSKEYS - into.passkeys.length;
  return split(
    from.passkeys,
    () => isSameUser && room-- > 0,
    ({ name }) => ({ kind: 'passkey', text: name }),
    (moved) => ({ passkeys: [...into.passkeys, ...moved], passkeyHandle: from.passkeyHandle }),
  );
};

/** Adds the claims that `into` lacks, as long as they fit. */
const mergeClaims: MergeStep = (into, from) => {
  const claims = claimsOf(into);
  const moved: MergedPart[] = [];
  const lost: MergedPart[] = [];
  for (const [name, value] of claimsOf(from)) {
    if (claims.has(name) && JSON.stringify(claims.get(name)) === JSON.stringify(value)) continue;
    const part: MergedPart = { kind: 'claim', text: name };
    const grown = JSON.stringify(Object.fromEntries([...claims, [name, value]]));
    if (claims.has(name) || grown.length > MAX_CUSTOM_CLAIMS_LENGTH) lost.push(part);
    else {
      claims.set(name, value);
      moved.push(part);
    }
  }
  const change = moved.length === 0 ? {} : { customAttributes: JSON.stringify(Object.fromEntries(claims)) };
  return { change, moved, lost };
};

function claimsOf({ customAttributes }: Account): Map<string, unknown> {
  if (customAttributes === null) return new Map();
  const json: unknown = JSON.parse(customAttributes);
  return new Map(Object.entries(Object(json)));
}

/** Splits the parts of the removed account into those that move and those that are lost. */
function split<T>(
  parts: readonly T[],
  mayMove: (part: T) => boolean,
  print: (part: T) => MergedPart,
  change: (moved: readonly T[]) => Partial<Account>,
): Step {
  const moved: T[] = [];
  const lost: T[] = [];
  for (const part of parts) (mayMove(part) ? moved : lost).push(part);
  return {
    change: moved.length === 0 ? {} : change(moved),
    moved: moved.map(print),
    lost: lost.map(print),
  };
}
