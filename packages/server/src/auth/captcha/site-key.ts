import type { Fields } from '../fields.ts';
import type { AuthRequest } from '../request.ts';

/** The text that shows the script of the pages that a challenge is a proof of work of this server. */
const NAME = 'hearth-pow';

/** Returns the site key for the script of the pages: the API key and the tenant for which it asks for challenges. */
export function siteKeyOf({ caller, fields }: AuthRequest): string {
  const tenantId = fields.filled('tenantId');
  const parts = [caller.kind === 'app' ? caller.apiKey : '', ...(tenantId === undefined ? [] : [tenantId])];
  return `${NAME}.${parts.map(encodeURIComponent).join(':')}`;
}

/**
 * Returns whether the page of the request has loaded the script that solves challenges. Other pages must not learn that a
 * challenge is required, because the official SDK would load a script of Google.
 */
export function isMarked(fields: Fields): boolean {
  return fields.text('hearth') === '1';
}
