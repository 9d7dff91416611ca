import type { Account, SecondFactor } from '../account.ts';

/** An account with a factor in the place of the one of the same name. */
export function withFactor(account: Account, factor: SecondFactor): Account {
  return {
    ...account,
    factors: account.factors.map((present) =>
      present.enrollmentId === factor.enrollmentId ? factor : present,
    ),
  };
}

/** An account with one factor more. What stood in for factors that are gone does not for the first new one. */
export function withNewFactor(account: Account, factor: SecondFactor): Account {
  return {
    ...account,
    factors: [...account.factors, factor],
    recoveryCodes: account.factors.length === 0 ? [] : account.recoveryCodes,
  };
}

/** An account without a factor. */
export function withoutFactor(account: Account, enrollmentId: string): Account {
  return withFactors(
    account,
    account.factors.filter((factor) => factor.enrollmentId !== enrollmentId),
  );
}

/** An account with other factors than before; without any, there is nothing that its recovery codes could stand in for. */
export function withFactors(account: Account, factors: readonly SecondFactor[]): Account {
  return { ...account, factors, recoveryCodes: factors.length === 0 ? [] : account.recoveryCodes };
}
