import { Refusal } from '../fault/refusal.ts';

/** Most rules that are asked of one write, those that are asked again for another place counted again: a fraction of a second. */
export const MAX_RULES_ASKED = 200_000;

/** What a write is refused with for which more would have to be asked. */
export function tooManyRules(): Refusal {
  return new Refusal(
    'write/too-big',
    `The write is too big for its rules: more than ${MAX_RULES_ASKED.toLocaleString('en')} would have to be asked. Write it in parts.`,
  );
}
