import { ApiError } from '../../../server/api-error.ts';

/** Statuses that another answer follows: there was none, somebody has to sign in again, or the server is busy. */
const PASSING: ReadonlySet<number> = new Set([0, 401, 503]);

/** Is it a failure that goes by itself? Browsers tell of an answer that breaks off by a `TypeError`. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? PASSING.has(error.status) : error instanceof TypeError;
}
