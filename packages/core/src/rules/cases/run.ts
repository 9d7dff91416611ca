import { RequestError } from '../../error/request-error.ts';
import { isReadAllowed, isWriteAllowed } from '../evaluate/decide.ts';
import { type ReadOperation, resolveDraftWrites, type WriteOperation } from '../evaluate/operation.ts';
import type { RuleSet } from '../evaluate/rule-set.ts';
import { NodeTree } from '../evaluate/views.ts';
import type { Coverage } from '../explain/coverage.ts';
import { explainRead, explainWrite } from '../explain/explanation.ts';
import type { Explanation } from '../explain/trace.ts';
import type { RuleCase } from './operation.ts';

/** The outcome of a case. `isExpected` is whether the case passes. */
export type CaseOutcome =
  | { readonly kind: 'decided'; readonly isExpected: boolean; readonly explanation: Explanation }
  /** The server would reject the operation before it evaluates rules. `reason` is a sentence. */
  | { readonly kind: 'rejected'; readonly isExpected: false; readonly reason: string };

/**
 * Runs a case and returns the outcome. Counts the evaluations in `coverage` unless it is `null`. `nowMs` is the time
 * of a case that sets no time.
 */
export function runCase(
  rules: RuleSet,
  ruleCase: RuleCase,
  nowMs: number,
  coverage: Coverage | null,
): CaseOutcome {
  try {
    const explanation = explainCase(rules, ruleCase, nowMs, coverage);
    return { kind: 'decided', isExpected: explanation.isAllowed === ruleCase.isAllowed, explanation };
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    return { kind: 'rejected', isExpected: false, reason: cause.message };
  }
}

function explainCase(
  rules: RuleSet,
  { auth, data, operation, ...given }: RuleCase,
  nowMs: number,
  coverage: Coverage | null,
): Explanation {
  const now = given.nowMs ?? nowMs;
  const tree = new NodeTree(data);
  if (operation.kind === 'read') {
    const read: ReadOperation = { auth, now, tree, path: operation.path, query: operation.query };
    if (coverage !== null) isReadAllowed(coverage.rules, read);
    return explainRead(rules, read);
  }
  const drafts = operation.kind === 'write' ? [operation.write] : operation.writes;
  const write: WriteOperation = { auth, now, tree, writes: resolveDraftWrites(drafts, tree, now) };
  if (coverage !== null) isWriteAllowed(coverage.rules, write);
  return explainWrite(rules, write);
}
