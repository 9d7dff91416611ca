import type { Fields } from '../fields.ts';
import type { AuthRequest } from '../request.ts';

/** The text that shows the script of the pages that a challenge is a proof of work of this server. */
const NAME = 'hearth-pow';

/** Returns the site key for the script of the pages. It contains the API key with which the script asks for challenges. */
export function siteKeyOf({ caller }: AuthRequest): string {
  return caller.kind === 'app' ? `${NAME}.${encodeURIComponent(caller.apiKey)}` : NAME;
}

/**
 * Whether the page of the request has loaded the script that solves challenges. Other pages must not learn that a
 * challenge is required, because the official SDK would load a script of Google.
 */
export function isMarked(fields: Fields): boolean {
  return fields.text('hearth') === '1';
}
