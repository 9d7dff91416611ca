import type { AccountOrder } from '../../server/accounts.ts';

export const ORDERS = ['uid', 'email', 'created', 'seen'] as const satisfies readonly AccountOrder[];

/** What a list of accounts shows, as its address says. */
export interface ListView {
  readonly order: AccountOrder;
  /** What is searched for; empty for all accounts. */
  readonly text: string;
  /** Is the text looked for in all accounts, and not only at the beginning of what they are found by? */
  readonly isAnywhere: boolean;
}

export function parseListView(parameters: URLSearchParams): ListView {
  const order = ORDERS.find((known) => known === parameters.get('order')) ?? 'uid';
  const text = (parameters.get('q') ?? '').trim().slice(0, 256);
  return { order, text, isAnywhere: parameters.get('in') === 'all' };
}
