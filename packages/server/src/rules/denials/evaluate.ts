import { RequestError } from '@hearth/core/error/request-error.ts';
import type { ProposedWrite } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY, type Scope } from '@hearth/core/rules/evaluate/scope.ts';
import type { AuthObject, RuleTree, RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { NodeTree, proposedView } from '@hearth/core/rules/evaluate/views.ts';
import { WorkBudget } from '@hearth/core/rules/evaluate/work-budget.ts';
import { traceRule } from '@hearth/core/rules/explain/trace.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../../access/authorization-request.ts';
import { examineOperation } from '../examine-operation.ts';
import { keepRule } from './capture.ts';
import {
  type CapturedInputs,
  type Denial,
  type DeniedIdentity,
  failedRules,
  type StoredRule,
  type StoredWrite,
} from './denial.ts';
import { type PrintedRule, parsePrintedRule, ruleOf } from './record.ts';
import { RecordedTree } from './recording-tree.ts';
import { shortenStep, withRecordedOutcomes } from './redact.ts';

/** The result of evaluating an entry again. */
export interface DenialEvaluation {
  readonly isAllowed: boolean;
  readonly rules: readonly StoredRule[];
  /** Index of the deciding rule in `rules`; `null` if there is none. */
  readonly deciding: number | null;
  /**
   * The source of the data for the evaluation: all values that were read; the results of conditions on data; or
   * none, if the entry was cut to its decision.
   */
  readonly basis: 'values' | 'outcomes' | 'verdict';
  /** Paths that the original evaluation did not read. Their values are unknown, so the decision may be wrong. */
  readonly missing: readonly string[];
}

/** Evaluates the rules of an entry again. */
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

/** Evaluates the operation with other rules. Throws `denial/no-values` if the entry's values were not stored. */
export function evaluateDraft(denial: Denial, rules: RuleSet): DenialEvaluation {
  const { values } = denial;
  if (values === null) throw new RequestError('denial/no-values');
  const tree = new RecordedTree(values.reads);
  const {
    isAllowed,
    rules: evaluated,
    deciding,
  } = examineOperation(rules, operationOf(denial, values, tree));
  return {
    isAllowed,
    rules: evaluated.map((rule) => keepRule(rule, true)),
    deciding: deciding === null ? null : evaluated.indexOf(deciding),
    basis: 'values',
    missing: tree.missing,
  };
}

/** Returns the evaluation. `rules` are the evaluated rules of the entry, in the order of the entry. */
function evaluationOf(
  denial: Denial,
  rules: readonly StoredRule[],
  basis: DenialEvaluation['basis'],
  missing: readonly string[],
): DenialEvaluation {
  const grounds = failedRules(denial);
  const isAllowed = denial.rules.some(
    (kept, index) => grounds.includes(kept) && rules[index]?.holds === true,
  );
  return { isAllowed, rules, deciding: denial.deciding, basis, missing };
}

function evaluateOutcomes(denial: Denial, kept: StoredRule): StoredRule {
  const { rule } = parseStoredRule(kept);
  const reduced = ruleOf(rule.kind, rule.location, withRecordedOutcomes(rule.expression, kept.step));
  // The substitutes have the values of the conditions that they replace, so the stored steps remain valid.
  return { ...kept, holds: reduced.evaluate(scopeOf(denial, kept, NOTHING, NOTHING)) === true };
}

function evaluateRule(denial: Denial, kept: StoredRule, before: RuleView, after: RuleView): StoredRule {
  const { rule } = parseStoredRule(kept);
  const { holds, step } = traceRule(rule, scopeOf(denial, kept, before, after), kept.place);
  return { ...kept, holds, step: shortenStep(step) };
}

/** The tree for rules in which recorded results replace every condition that reads a tree. */
const NOTHING = new NodeTree(null);

function parseStoredRule({ kind, location, text }: StoredRule): PrintedRule {
  return parsePrintedRule(kind, location.split('/').filter(Boolean), text);
}

function scopeOf(
  denial: Denial,
  { place: evaluatedPath }: StoredRule,
  before: RuleView,
  after: RuleView,
): Scope {
  return {
    auth: authOf(denial.identity),
    now: denial.timeMs,
    before,
    after,
    query: denial.query ?? NO_QUERY,
    path: parsePath(evaluatedPath),
    work: new WorkBudget(),
  };
}

function operationOf(denial: Denial, values: CapturedInputs, tree: RuleTree): DecidedOperation {
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

/** Returns a stored write as rules see it. */
export function parseWrite(write: StoredWrite): ProposedWrite {
  const path = parsePath(write.path);
  return write.kind === 'node'
    ? { kind: 'node', path, node: parseNodeJson(write.json) }
    : { kind: 'priority', path, priority: write.priority };
}
