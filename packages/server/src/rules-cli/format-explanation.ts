import { formatRuleName } from './format-rule-name.ts';
import { formatTrace } from './format-trace.ts';
import type { Paint } from './paint.ts';
import { printable } from './printable.ts';
import type { ShownExplanation, ShownRule } from './shown-trace.ts';

/** Why an operation is allowed or not: a sentence, and every rule that was asked, with what it came to. */
export function formatExplanation(explanation: ShownExplanation, paint: Paint): readonly string[] {
  return [
    paint(explanation.isAllowed ? 'green' : 'red', printable(summary(explanation))),
    ...explanation.rules.flatMap((rule) => ['', ...formatRule(rule, rule === explanation.deciding, paint)]),
  ];
}

function summary({ isAllowed, refused, deciding }: ShownExplanation): string {
  if (deciding === null)
    return isAllowed
      ? 'Allowed.'
      : `Denied: there is no rule at or above ${refused ?? 'the place'} to grant it.`;
  if (isAllowed) return `Allowed: ${formatRuleName(deciding)} holds for ${deciding.place}.`;
  if (deciding.kind === 'validate')
    return `Denied: ${formatRuleName(deciding)} does not hold for ${deciding.place}.`;
  return `Denied: no .${deciding.kind} at or above ${refused ?? deciding.place} holds.`;
}

/** What holds and did not decide is one line. */
function formatRule(rule: ShownRule, isDeciding: boolean, paint: Paint): readonly string[] {
  const outcome = rule.holds ? paint('green', 'holds') : paint('red', 'does not hold');
  const place = rule.place === rule.location ? '' : ` for ${printable(rule.place)}`;
  const at = rule.at === '' ? '' : `  ${paint('dim', rule.at)}`;
  const head = `${paint('bold', formatRuleName(rule))}${place} ${outcome}${at}`;
  if (rule.holds && !isDeciding) return [head];
  return [head, ...formatTrace(rule.step, rule.source, paint).map((line) => `  ${line}`)];
}
