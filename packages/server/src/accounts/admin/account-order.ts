import type { Account } from '../account.ts';

/** By what a list of accounts is sorted. The first stands for nothing said. */
export const SORT_FIELDS = [
  'SORT_BY_FIELD_UNSPECIFIED',
  'USER_ID',
  'NAME',
  'CREATED_AT',
  'LAST_LOGIN_AT',
  'USER_EMAIL',
] as const;

export type SortField = (typeof SORT_FIELDS)[number];

export interface AccountOrder {
  readonly field: SortField;
  readonly isDescending: boolean;
}

/** What an account is sorted by; those that lack it come first. */
function sortKey(
  { displayName, createdAtMs, lastLoginAtMs, email }: Account,
  field: SortField,
): string | number {
  switch (field) {
    case 'SORT_BY_FIELD_UNSPECIFIED':
    case 'USER_ID':
      return '';
    case 'NAME':
      return displayName ?? '';
    case 'CREATED_AT':
      return createdAtMs;
    case 'LAST_LOGIN_AT':
      return lastLoginAtMs ?? 0;
    case 'USER_EMAIL':
      return email ?? '';
    default:
      return field satisfies never;
  }
}

/** Accounts that are equal otherwise come by their names. */
export function compareAccounts(a: Account, b: Account, { field, isDescending }: AccountOrder): number {
  const order = compare(sortKey(a, field), sortKey(b, field)) || compare(a.uid, b.uid);
  return isDescending ? -order : order;
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
