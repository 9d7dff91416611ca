/** In which order accounts are listed; the latest are 500 at most. */
export const ORDERS = ['uid', 'email', 'created', 'seen'] as const;
export type Order = (typeof ORDERS)[number];

/** What a list of accounts shows, as its address says. */
export interface ListView {
  readonly order: Order;
  /** What is searched for; empty for all accounts. */
  readonly text: string;
}

export function parseListView(parameters: URLSearchParams): ListView {
  const order = ORDERS.find((known) => known === parameters.get('order')) ?? 'uid';
  return { order, text: (parameters.get('q') ?? '').trim().slice(0, 256) };
}

/** Is it a number that a request can look up? */
export function isPhoneNumber(text: string): boolean {
  return /^\+\d{5,15}$/.test(text.replace(/[\s().-]/g, ''));
}

/** The number as E.164 writes it. */
export function phoneNumberOf(text: string): string {
  return text.replace(/[\s().-]/g, '');
}
