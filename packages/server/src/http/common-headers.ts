import type { Headers } from './answer.ts';

/** Headers of every answer. */
export const COMMON_HEADERS: Headers = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

/** Headers of answers that pages of every origin may read. */
export const PUBLIC_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};

/** Headers of answers to those who show a secret in the address or in a form. */
export const SECRET_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};
