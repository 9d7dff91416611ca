import type { UseQueryResult } from '@tanstack/react-query';
import { isForbidden } from './api-error.ts';

/** Something of the server's as a view has it by now. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly data: T };

/** How far a query has come. What is there stays there while it is asked for again, also when that fails. */
export function loadableOf<T>(query: UseQueryResult<T>): Loadable<T> {
  if (query.data !== undefined) return { kind: 'ready', data: query.data };
  if (query.error === null) return { kind: 'loading' };
  if (isForbidden(query.error)) return { kind: 'forbidden', error: query.error };
  return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
}
