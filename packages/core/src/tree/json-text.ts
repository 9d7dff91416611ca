import { maskEscapedKeys, unmaskKey } from './escaped-keys.ts';
import { canonicalNumber } from './number.ts';

/** Sixteen digits in a row where a number may begin: perhaps an integer that a double cannot hold. */
const LONG_DIGITS = /(?:^|[\s:,[-])[0-9]{16}/;
/** As many digits as 64 bits may take. Longer ones are doubles, and slow to read as integers. */
const INTEGER = /^-?[0-9]{16,19}$/;

/** The third argument of a `JSON.parse` reviver, which the language's type library does not know yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses JSON text, keeping integers of 64 bits exact (as bigints where a double may not hold them).
 * Throws a `SyntaxError` on anything that is not JSON or is nested absurdly deep.
 */
export function parseJsonText(text: string): unknown {
  // A string alone has neither keys nor numbers to be looked for.
  if (text.startsWith('"')) return JSON.parse(text);
  const masked = maskEscapedKeys(text);
  if (masked !== undefined)
    return revive(masked, (key, value, context) => unmaskKeys(exactInteger(key, value, context)));
  return LONG_DIGITS.test(text) ? revive(text, exactInteger) : JSON.parse(text);
}

function exactInteger(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context.source ?? '';
  return INTEGER.test(source) ? canonicalNumber(BigInt(source)) : value;
}

function unmaskKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [unmaskKey(key), item]),
  );
}

function revive(text: string, reviver: Reviver): unknown {
  try {
    return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
  } catch (cause) {
    // The engine calls a reviver recursively, and runs out of stack where it would parse plainly.
    if (cause instanceof RangeError) throw new SyntaxError('The JSON is nested too deep.', { cause });
    throw cause;
  }
}
