import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** JSON text in which integers of 64 bits are doubles, as rules see them. */
export function printJsonWithDoubles(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
}

/** Parses such text. Throws a `SyntaxError`. */
export function parseJsonWithDoubles(text: string): unknown {
  return withDoubles(parseJsonText(text));
}

function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDoubles);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, withDoubles(item)]),
  );
}
