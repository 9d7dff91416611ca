import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Path } from '../../tree/path.ts';
import { parseRules } from '../compile/rules.ts';
import { isReadAllowed, isWriteAllowed, isWriteGranted, validationSteps } from '../evaluate/decide.ts';
import type { WriteOperation } from '../evaluate/operation.ts';
import type { RuleSet } from '../evaluate/rule-set.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import { NodeTree } from '../evaluate/views.ts';
import { WorkBudget } from '../evaluate/work-budget.ts';
import { explainRead, explainWrite } from '../explain/explanation.ts';
import type { Explanation } from '../explain/trace.ts';
import { NaiveDecider } from './decide.fixture.ts';
import { type RuleCase, ruleCases } from './rule-case.arbitrary.ts';

/** Set `HEARTH_RULES_CASES` to try more cases. Set `HEARTH_RULES_SEED` to try other cases. */
const CASES = Number(process.env['HEARTH_RULES_CASES'] ?? 3000);
const SEED = Number(process.env['HEARTH_RULES_SEED'] ?? 20_260_101);

interface RuleDecisions {
  readonly decided: boolean;
  readonly explanation: Explanation;
  readonly naive: boolean;
  /** Number of rules that have no value in the naive evaluation. */
  readonly faults: number;
  /** Whether a write that was granted was also validated in steps. */
  readonly decidedInSteps: boolean;
  /** The explanation of a write whose first invalid path is known. */
  readonly invalidExplanation?: Explanation;
}

function decisionsOf(rules: RuleSet, { data, auth, now, operation }: RuleCase): RuleDecisions {
  const tree = new NodeTree(data);
  const decider = new NaiveDecider(rules, { auth, now, before: data, after: data });
  if (operation.kind === 'read') {
    const read = { auth, now, tree, path: operation.path, query: operation.query };
    const decided = isReadAllowed(rules, read);
    return {
      decided,
      decidedInSteps: decided,
      explanation: explainRead(rules, read),
      naive: decider.isReadAllowed(read.path, read.query),
      faults: decider.faults,
    };
  }
  const write = { auth, now, tree, writes: operation.writes };
  const isGranted = isWriteGranted(rules, write, new WorkBudget());
  const invalidAt = findInvalidInSteps(rules, write);
  const isKnown = isGranted && invalidAt !== null && operation.writes.length === 1;
  return {
    decidedInSteps: isGranted && invalidAt === null,
    ...(isKnown ? { invalidExplanation: explainWrite(rules, { ...write, invalidAt }) } : {}),
    decided: isWriteAllowed(rules, write),
    explanation: explainWrite(rules, write),
    naive: decider.isWriteAllowed(write.writes, NO_QUERY),
    faults: decider.faults,
  };
}

/** Returns the first path that the `.validate` rules of a write reject. */
function findInvalidInSteps(rules: RuleSet, write: WriteOperation): Path | null {
  const steps = validationSteps(rules, write, new WorkBudget());
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

test('[R112][R302] deciding, at once or in steps, explaining and a naive evaluation of the same rules agree', {
  timeout: 3_600_000,
}, () => {
  const caseCounts = { allowed: 0, notGranted: 0, invalid: 0, faulty: 0 };
  fc.assert(
    fc.property(ruleCases, (each) => {
      const { decided, explanation, naive, faults, ...inSteps } = decisionsOf(parseRules(each.rules), each);
      expect({ decided, explained: explanation.isAllowed }).toEqual({ decided: naive, explained: naive });
      expect(inSteps.decidedInSteps).toBe(naive);
      if (inSteps.invalidExplanation !== undefined)
        expect(inSteps.invalidExplanation.deciding).toEqual(explanation.deciding);
      if (explanation.deciding !== null) expect(explanation.deciding.holds).toBe(naive);
      if (naive) caseCounts.allowed++;
      else caseCounts[explanation.deciding?.kind === 'validate' ? 'invalid' : 'notGranted']++;
      if (faults > 0) caseCounts.faulty++;
    }),
    { numRuns: CASES, seed: SEED },
  );
  // The generator must produce every kind of case, or the comparison would prove little.
  for (const count of Object.values(caseCounts)) expect(count).toBeGreaterThan(CASES / 10);
});
