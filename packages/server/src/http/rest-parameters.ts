import { Refusal } from '@hearth/core/fault/refusal.ts';

/** How an answer is to be printed. */
export type Print = 'plain' | 'pretty' | 'silent';

const KNOWN: ReadonlySet<string> = new Set(['ns', 'auth', 'access_token', 'print']);

/** Refuses a parameter that would otherwise be ignored: a client that sends it expects it to count. */
export function refuseUnknownParameters(query: URLSearchParams): void {
  for (const name of query.keys())
    if (!KNOWN.has(name))
      throw new Refusal(
        'http/parameter',
        `The query parameter ${JSON.stringify(name)} is not supported yet; supported are ${[...KNOWN].join(', ')}.`,
      );
}

/** Reads `print`. */
export function parsePrint(query: URLSearchParams): Print {
  const print = query.get('print');
  if (print === null) return 'plain';
  if (print === 'pretty' || print === 'silent') return print;
  throw new Refusal(
    'http/parameter',
    `The query parameter print must be pretty or silent, not ${JSON.stringify(print)}.`,
  );
}
