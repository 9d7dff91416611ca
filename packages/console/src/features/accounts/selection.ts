import { create } from 'zustand';
import type { Account } from '../../server/accounts.ts';

interface Selection {
  /** By user id, in the order in which they were chosen. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** Accounts that something is to be done with at once. It outlives a look at one of them. */
export const useSelection = create<Selection>()(() => ({ accounts: new Map() }));

export function select(accounts: readonly Account[], isSelected: boolean): void {
  useSelection.setState(({ accounts: before }) => {
    const after = new Map(before);
    for (const account of accounts)
      if (isSelected) after.set(account.localId, account);
      else after.delete(account.localId);
    return { accounts: after };
  });
}

export function clearSelection(): void {
  useSelection.setState({ accounts: new Map() });
}
