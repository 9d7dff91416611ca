import type { RuleKind } from '@hearth/core/rules/rule-set.ts';

/** What a rule is called in every language, such as `.read /rooms/$id`. */
export function printRuleName({
  kind,
  location,
}: {
  readonly kind: RuleKind;
  readonly location: string;
}): string {
  return `.${kind} ${location}`;
}
