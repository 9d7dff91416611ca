import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** Longest custom claims, in characters of their JSON. */
export const MAX_CLAIMS_LENGTH = 1_000;

/** Claims with a meaning of their own in every token. */
const RESERVED = new Set([
  'iss',
  'aud',
  'sub',
  'iat',
  'exp',
  'nbf',
  'jti',
  'nonce',
  'azp',
  'acr',
  'amr',
  'cnf',
  'auth_time',
  'firebase',
  'at_hash',
  'c_hash',
]);

/** What custom claims as they are typed would be. */
export type ClaimsCheck =
  /** `text` is what to store, without spaces between its parts; empty for none. */
  | { readonly kind: 'good'; readonly text: string }
  | { readonly kind: 'not-json'; readonly reason: string }
  | { readonly kind: 'not-object' }
  | { readonly kind: 'reserved'; readonly name: string }
  | { readonly kind: 'too-long'; readonly length: number };

export function checkClaims(typed: string): ClaimsCheck {
  if (typed.trim() === '') return { kind: 'good', text: '' };
  const parsed = parse(typed);
  if (parsed.kind === 'not-json') return parsed;
  const { json } = parsed;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { kind: 'not-object' };
  const reserved = Object.keys(json).find((name) => RESERVED.has(name));
  if (reserved !== undefined) return { kind: 'reserved', name: reserved };
  const text = compact(typed);
  if (text.length > MAX_CLAIMS_LENGTH) return { kind: 'too-long', length: text.length };
  return { kind: 'good', text: text === '{}' ? '' : text };
}

function parse(
  text: string,
):
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'not-json'; readonly reason: string } {
  try {
    return { kind: 'json', json: parseJsonText(text) };
  } catch (error) {
    return { kind: 'not-json', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON without the spaces between its parts; numbers keep every digit. */
function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/** Claims as an account has them, with a line for each; as they are when they are no JSON. */
export function layOutClaims(text: string): string {
  if (text === '') return '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return compact(text).replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (part) => {
    if (part === ':') return ': ';
    if (part === ',') return `,${line()}`;
    if (part === '{' || part === '[') {
      depth += 1;
      return part + line();
    }
    if (part === '}' || part === ']') {
      depth -= 1;
      return line() + part;
    }
    return part;
  });
}
