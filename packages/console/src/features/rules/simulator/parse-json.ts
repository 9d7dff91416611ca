import { parseJsonText } from '@hearth/core/tree/json-text.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a text in JSON says, numbers as rules see them; `undefined` for what is none. */
export function parseJson(text: string): { readonly json: Json } | undefined {
  try {
    return { json: withDoubles(parseJsonText(text)) };
  } catch {
    return undefined;
  }
}

/** JSON as rules see it: they have no numbers but doubles. */
export function withDoubles(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDoubles(part)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
