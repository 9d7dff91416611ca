import type { Colour } from './paint.ts';
import { plural } from './plural.ts';
import { printable } from './printable.ts';
import type { ShownValue } from './shown-trace.ts';

/** Longest text of a value, in characters. */
const MAX_LENGTH = 60;

/** A value of a trace on one line. */
export function formatTraceValue(value: ShownValue): string {
  switch (value.kind) {
    case 'scalar':
    case 'json':
      return cut(printable(JSON.stringify(value.value) ?? 'nothing'));
    case 'not-finite':
      return value.text;
    case 'cut': {
      const start = printable(value.of === 'string' ? JSON.stringify(value.start).slice(0, -1) : value.start);
      return `${cut(`${start}…`)} (${plural(value.length, 'character')})`;
    }
    case 'object':
      return '{…}';
    case 'snapshot':
      if (value.path === null) return 'a place that cannot be';
      return printable(value.tree === 'after' ? `${value.path} as written` : value.path);
    case 'error':
      return printable(`error: ${value.message}`);
    case 'redacted':
      return value.length === null
        ? `a ${value.of} (not kept)`
        : `a ${value.of} of ${plural(value.length, 'character')} (not kept)`;
    default:
      return value satisfies never;
  }
}

export function colourOfValue(value: ShownValue): Colour | undefined {
  if (value.kind === 'error') return 'yellow';
  if (value.kind === 'snapshot') return 'dim';
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return undefined;
  return value.value ? 'green' : 'red';
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
