import type { RuleQuestion } from '@hearth/core/rules/cases/parse-question.ts';
import { explainRead, explainWrite } from '@hearth/core/rules/explain-operation.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import { proposeWrites } from '@hearth/core/rules/propose-writes.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Explanation, RuleTrace } from '@hearth/core/rules/trace.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { KeptStep } from '../denials/denial.ts';
import { shortenStep } from '../denials/shorten-step.ts';
import type { Identity } from '../identity/identity.ts';
import { mustSeeAll } from '../identity/must-see-all.ts';
import type { Database } from './database.ts';
import { compareWrites } from './draft-write.ts';

/** A rule that was asked, with long values cut. */
export interface ExplainedRule extends Omit<RuleTrace, 'step'> {
  readonly step: KeptStep;
}

/** Why an operation is allowed or not, and by which rules. */
export interface ExplainedOperation extends Omit<Explanation, 'rules' | 'deciding'> {
  readonly rules: readonly ExplainedRule[];
  readonly deciding: ExplainedRule | null;
  /** The text that the spans are parts of. */
  readonly source: string;
}

export interface ExplanationsOptions {
  readonly committer: Committer;
  readonly openDatabase: (name: string, turn: Turn) => Database;
}

/** Tells why operations would be allowed or not, on the data of now; nothing comes of them. For administrators. */
export class Explanations {
  readonly #options: ExplanationsOptions;

  constructor(options: ExplanationsOptions) {
    this.#options = options;
  }

  /**
   * Explains by the rules in force, or by a draft. Refuses with `auth/admin-only`, with `rules/invalid` what are no
   * rules, and with `server-value/overflow` a write whose placeholders come to no number.
   */
  async explain(identity: Identity, name: string, question: RuleQuestion): Promise<ExplainedOperation> {
    mustSeeAll(identity);
    const { committer, openDatabase } = this.#options;
    const draft = question.source === null ? null : parseRules(question.source);
    const { explanation, source } = await committer.request((turn) => {
      const database = openDatabase(name, turn);
      const rules = draft ?? database.rules;
      return { explanation: explainNow(turn, database, rules, question), source: rules.source };
    });
    const rules = explanation.rules.map(shorten);
    const deciding = explanation.deciding && shorten(explanation.deciding);
    return { ...explanation, rules, deciding, source };
  }
}

function explainNow(
  turn: Turn,
  database: Database,
  rules: RuleSet,
  { auth, operation }: RuleQuestion,
): Explanation {
  const tree = database.tree(turn);
  if (operation.kind === 'read') {
    const { path, query } = operation;
    return explainRead(rules, { auth, now: turn.nowMs, tree, path, query });
  }
  const drafts = operation.kind === 'write' ? [operation.write] : operation.writes.toSorted(compareWrites);
  const now = turn.commitTimeMs(database.name);
  return explainWrite(rules, { auth, now, tree, writes: proposeWrites(drafts, tree, now) });
}

function shorten(trace: RuleTrace): ExplainedRule {
  return { ...trace, step: shortenStep(trace.step) };
}
