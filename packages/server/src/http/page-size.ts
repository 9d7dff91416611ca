import { Refusal } from '@hearth/core/fault/refusal.ts';

/** Entries on a page, if the client does not say, and at most. */
const MAX_PAGE_SIZE = 1_000;

/** Reads `pageSize`: a positive whole number; more than there may be on a page is taken for that. */
export function parsePageSize(text: string | null): number {
  if (text === null) return MAX_PAGE_SIZE;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) === 0)
    throw new Refusal('http/parameter', 'The query parameter pageSize must be a positive whole number.');
  return Math.min(Number(text), MAX_PAGE_SIZE);
}
