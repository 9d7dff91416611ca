import { LineIndex } from '@hearth/core/rules/line-index.ts';
import type { Explanation } from '@hearth/core/rules/trace.ts';
import type { SourceText } from './rules-source.ts';
import type { ShownExplanation, ShownRule, ShownStep } from './shown-trace.ts';

/** An explanation whose traces may come from elsewhere. */
export interface AnyExplanation extends Omit<Explanation, 'rules' | 'deciding'> {
  readonly rules: readonly AnyRuleTrace[];
  readonly deciding: AnyRuleTrace | null;
}

export type AnyRuleTrace = Omit<ShownRule, 'source' | 'at'> & { readonly step: ShownStep };

/** Adds to an explanation what is needed to show it: the rules that its spans are parts of. */
export function showExplanation(
  { isAllowed, refused, rules, deciding }: AnyExplanation,
  { name, source }: SourceText,
): ShownExplanation {
  const lines = new LineIndex(source);
  const shown = rules.map((trace): ShownRule => {
    const { line, column } = lines.positionOf(trace.step.span.start);
    return { ...trace, source, at: `${name}:${line}:${column}` };
  });
  return {
    isAllowed,
    refused,
    rules: shown,
    deciding: shown.findLast((rule) => deciding !== null && isSame(rule, deciding)) ?? null,
  };
}

/** What has gone over the network is a copy. */
function isSame(a: AnyRuleTrace, b: AnyRuleTrace): boolean {
  return a.kind === b.kind && a.location === b.location && a.place === b.place;
}
