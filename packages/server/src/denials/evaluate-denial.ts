import { Refusal } from '@hearth/core/fault/refusal.ts';
import { proposedView } from '@hearth/core/rules/merged-view.ts';
import { NodeTree } from '@hearth/core/rules/node-tree.ts';
import type { ProposedWrite } from '@hearth/core/rules/operation.ts';
import { NO_QUERY } from '@hearth/core/rules/query-variables.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { AuthObject } from '@hearth/core/rules/rule-value.ts';
import type { RuleTree, RuleView } from '@hearth/core/rules/rule-view.ts';
import type { Scope } from '@hearth/core/rules/scope.ts';
import { traceRule } from '@hearth/core/rules/trace-rule.ts';
import { WorkBudget } from '@hearth/core/rules/work-budget.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from './asked-operation.ts';
import type { Denial, DeniedIdentity, KeptRule } from './denial.ts';
import { examineOperation } from './examine-operation.ts';
import { groundsOf } from './grounds.ts';
import type { KeptValues, KeptWrite } from './kept-values.ts';
import { type PrintedRule, parsePrintedRule, ruleOf } from './printed-rule.ts';
import { keepRule } from './record-denial.ts';
import { RecordedTree } from './recorded-tree.ts';
import { shortenStep } from './shorten-step.ts';
import { standIn } from './stand-ins.ts';

/** What an entry comes to when it is evaluated again. */
export interface DenialEvaluation {
  readonly isAllowed: boolean;
  readonly rules: readonly KeptRule[];
  /** Index in `rules`. */
  readonly deciding: number | null;
  /**
   * What stood for the data: all that was read, what conditions on data came to, or nothing, where the entry was cut to
   * its verdict.
   */
  readonly basis: 'values' | 'outcomes' | 'verdict';
  /** Places that were asked for and not read then, so that nothing is known of them: the verdict may be wrong. */
  readonly missing: readonly string[];
}

/** Asks the rules of an entry once more. */
export function evaluateDenial(denial: Denial): DenialEvaluation {
  const { values } = denial;
  if (denial.cut === 'all-but-verdict') return evaluationOf(denial, denial.rules, 'verdict', []);
  if (values === null)
    return evaluationOf(
      denial,
      denial.rules.map((rule) => evaluateOutcomes(denial, rule)),
      'outcomes',
      [],
    );
  const before = new RecordedTree(values.reads);
  const after = proposedView(before, values.writes.map(parseWrite));
  const rules = denial.rules.map((rule) => evaluateRule(denial, rule, before, after));
  return evaluationOf(denial, rules, 'values', before.missing);
}

/** What other rules make of the operation. Refuses with `denial/no-values` an entry whose values were not kept. */
export function evaluateDraft(denial: Denial, rules: RuleSet): DenialEvaluation {
  const { values } = denial;
  if (values === null) throw new Refusal('denial/no-values');
  const tree = new RecordedTree(values.reads);
  const { isAllowed, rules: asked, deciding } = examineOperation(rules, operationOf(denial, values, tree));
  return {
    isAllowed,
    rules: asked.map((rule) => keepRule(rule, true)),
    deciding: deciding === null ? null : asked.indexOf(deciding),
    basis: 'values',
    missing: tree.missing,
  };
}

/** `rules` are those of the entry, in its order. */
function evaluationOf(
  denial: Denial,
  rules: readonly KeptRule[],
  basis: DenialEvaluation['basis'],
  missing: readonly string[],
): DenialEvaluation {
  const grounds = groundsOf(denial);
  const isAllowed = denial.rules.some(
    (kept, index) => grounds.includes(kept) && rules[index]?.holds === true,
  );
  return { isAllowed, rules, deciding: denial.deciding, basis, missing };
}

function evaluateOutcomes(denial: Denial, kept: KeptRule): KeptRule {
  const { rule } = parseKept(kept);
  const reduced = ruleOf(rule.kind, rule.location, standIn(rule.expression, kept.step));
  // Whatever stood in for a condition came to the same, so the steps of then are those of now.
  return { ...kept, holds: reduced.evaluate(scopeOf(denial, kept, NOTHING, NOTHING)) === true };
}

function evaluateRule(denial: Denial, kept: KeptRule, before: RuleView, after: RuleView): KeptRule {
  const { rule } = parseKept(kept);
  const { holds, step } = traceRule(rule, scopeOf(denial, kept, before, after), kept.place);
  return { ...kept, holds, step: shortenStep(step) };
}

/** What stand-ins keep rules from looking at. */
const NOTHING = new NodeTree(null);

function parseKept({ kind, location, text }: KeptRule): PrintedRule {
  return parsePrintedRule(kind, location.split('/').filter(Boolean), text);
}

function scopeOf(denial: Denial, { place }: KeptRule, before: RuleView, after: RuleView): Scope {
  return {
    auth: authOf(denial.identity),
    now: denial.timeMs,
    before,
    after,
    query: denial.query ?? NO_QUERY,
    path: parsePath(place),
    work: new WorkBudget(),
  };
}

function operationOf(denial: Denial, values: KeptValues, tree: RuleTree): DecidedOperation {
  const common = { auth: authOf(denial.identity), now: denial.timeMs, tree };
  const { query } = denial;
  if (query === null) return { kind: 'write', write: { ...common, writes: values.writes.map(parseWrite) } };
  return { kind: 'read', read: { ...common, path: parsePath(denial.paths[0] ?? ''), query } };
}

function authOf(identity: DeniedIdentity): AuthObject | null {
  if (identity.kind === 'guest') return null;
  const { auth } = identity;
  if (typeof auth !== 'object' || auth === null) throw new Error('Bug: a kept identity has no claims');
  return auth as AuthObject;
}

function parseWrite(write: KeptWrite): ProposedWrite {
  const path = parsePath(write.path);
  return write.kind === 'node'
    ? { kind: 'node', path, node: parseNodeJson(write.json) }
    : { kind: 'priority', path, priority: write.priority };
}
