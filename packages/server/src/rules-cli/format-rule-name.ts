import type { ShownRule } from './shown-trace.ts';

/** `.write of /rooms/$room`. */
export function formatRuleName({ kind, location }: Pick<ShownRule, 'kind' | 'location'>): string {
  return `.${kind} of ${location}`;
}
