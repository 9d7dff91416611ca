import type { Denial, KeptRule } from './denial.ts';

/** The rules of an entry of which one would have had to hold: the `.validate` that failed, or all that could have granted. */
export function groundsOf({ rules, deciding }: Pick<Denial, 'rules' | 'deciding'>): readonly KeptRule[] {
  const rule = deciding === null ? undefined : rules[deciding];
  return rule?.kind === 'validate' ? [rule] : rules.filter(({ holds }) => !holds);
}
