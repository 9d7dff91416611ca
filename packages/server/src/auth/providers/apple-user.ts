import { isJsonObject } from '../fields.ts';
import type { Claims } from '../tokens/jwt.ts';
import { findPreset } from './presets.ts';

/** Longest description of a user that Apple sends, in UTF-16 code units. */
const MAX_USER_LENGTH = 4_096;

/**
 * Returns the claims with the name of the user, which Apple sends outside the ID token, and only when the user agrees
 * for the first time. This part is not signed, so the address in it is ignored.
 */
export function withAppleName(providerId: string, claims: Claims, user: string | undefined): Claims {
  if (!findPreset(providerId)?.quirks.includes('apple-form') || user === undefined) return claims;
  const json = user.length <= MAX_USER_LENGTH ? tryParse(user) : undefined;
  const name: unknown = isJsonObject(json) ? json['name'] : undefined;
  if (!isJsonObject(name)) return claims;
  const parts = [name['firstName'], name['lastName']].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  return {
    ...claims,
    given_name: name['firstName'],
    family_name: name['lastName'],
    ...(parts.length === 0 ? {} : { name: parts.join(' ') }),
  };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
