import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '../evaluate/decide.ts';
import type { RuleSet } from '../evaluate/rule-set.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import { NodeTree } from '../evaluate/views.ts';
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
}

function decisionsOf(rules: RuleSet, { data, auth, now, operation }: RuleCase): RuleDecisions {
  const tree = new NodeTree(data);
  const decider = new NaiveDecider(rules, { auth, now, before: data, after: data });
  if (operation.kind === 'read') {
    const read = { auth, now, tree, path: operation.path, query: operation.query };
    return {
      decided: isReadAllowed(rules, read),
      explanation: explainRead(rules, read),
      naive: decider.isReadAllowed(read.path, read.query),
      faults: decider.faults,
    };
  }
  const write = { auth, now, tree, writes: operation.writes };
  return {
    decided: isWriteAllowed(rules, write),
    explanation: explainWrite(rules, write),
    naive: decider.isWriteAllowed(write.writes, NO_QUERY),
    faults: decider.faults,
  };
}

test('[R112] deciding, explaining and a naive evaluation of the same rules agree', {
  timeout: 3_600_000,
}, () => {
  const caseCounts = { allowed: 0, notGranted: 0, invalid: 0, faulty: 0 };
  fc.assert(
    fc.property(ruleCases, (each) => {
      const { decided, explanation, naive, faults } = decisionsOf(parseRules(each.rules), each);
      expect({ decided, explained: explanation.isAllowed }).toEqual({ decided: naive, explained: naive });
      if (explanation.deciding !== null) expect(explanation.deciding.holds).toBe(naive);
      if (naive) caseCounts.allowed++;
      else caseCounts[explanation.deciding?.kind === 'validate' ? 'invalid' : 'notGranted']++;
      if (faults > 0) caseCounts.faulty++;
    }),
    { numRuns: CASES, seed: SEED },
  );
  // A generator that produces only one kind of case would prove little.
  for (const count of Object.values(caseCounts)) expect(count).toBeGreaterThan(CASES / 10);
});
