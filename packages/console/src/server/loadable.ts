import type { UseQueryResult } from '@tanstack/react-query';
import { isForbidden } from './api-error.ts';

/** Something of the server's as a view has it by now. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly data: T };

/** How far a query has come. What is there stays there while it is asked for again, also when that fails. */
export function loadableOf<T>({ data, error, refetch }: UseQueryResult<T>): Loadable<T> {
  return loadable(data, error, () => void refetch());
}

/** The same of what is made of one or more queries. */
export function loadable<T>(data: T | undefined, error: Error | null, retry: () => void): Loadable<T> {
  if (data !== undefined) return { kind: 'ready', data };
  if (error === null) return { kind: 'loading' };
  if (isForbidden(error)) return { kind: 'forbidden', error };
  return { kind: 'failed', error, retry };
}
