import { printable } from './printable.ts';
import type { ShownRule } from './shown-trace.ts';

/** `.write of /rooms/$room`. */
export function formatRuleName({ kind, location }: Pick<ShownRule, 'kind' | 'location'>): string {
  return printable(`.${kind} of ${location}`);
}
