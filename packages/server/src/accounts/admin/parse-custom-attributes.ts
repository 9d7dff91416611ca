import { parseCustomClaims } from '../../tokens/custom-claims.ts';
import type { Fields } from '../fields.ts';

/**
 * The claims that an administrator gives an account, as JSON text; `null` for none, `undefined` when the request does not
 * say. Refuses with `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS` and `FORBIDDEN_CLAIM`.
 */
export function parseCustomAttributes(fields: Fields): string | null | undefined {
  const text = fields.text('customAttributes');
  if (text === undefined) return undefined;
  if (text === '') return null;
  return Object.keys(parseCustomClaims(text)).length === 0 ? null : text;
}
