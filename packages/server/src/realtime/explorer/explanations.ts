import type { RuleQuestion } from '@hearth/core/rules/cases/question.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { resolveDraftWrites } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { explainRead, explainWrite } from '@hearth/core/rules/explain/explanation.ts';
import type { Explanation, RuleTrace } from '@hearth/core/rules/explain/trace.ts';
import type { Principal } from '../../access/principal.ts';
import { requireReadAll } from '../../access/rights.ts';
import type { StoredStep } from '../../rules/denials/denial.ts';
import { shortenStep } from '../../rules/denials/redact.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import { compareWrites } from '../database/write-input.ts';

/** An evaluated rule. Long values in it are cut. */
export interface ExplainedRule extends Omit<RuleTrace, 'step'> {
  readonly step: StoredStep;
}

/** Why an operation is allowed or denied, and by which rules. */
export interface ExplainedOperation extends Omit<Explanation, 'rules' | 'deciding'> {
  readonly rules: readonly ExplainedRule[];
  readonly deciding: ExplainedRule | null;
  /** The rules source that the spans refer to. */
  readonly source: string;
}

export interface ExplanationsOptions {
  readonly scheduler: TransactionScheduler;
  readonly openDatabase: (name: string, transaction: WriteTransaction) => Database;
}

/**
 * Explains why operations would be allowed or denied on the current data. Nothing is written. For
 * administrators.
 */
export class Explanations {
  readonly #options: ExplanationsOptions;

  constructor(options: ExplanationsOptions) {
    this.#options = options;
  }

  /**
   * Explains an operation by the published rules or by a draft. Throws `auth/admin-only`, `rules/invalid` if
   * the draft cannot be parsed, and `server-value/overflow` for a write whose placeholders do not resolve to a
   * number.
   */
  async explain(identity: Principal, name: string, question: RuleQuestion): Promise<ExplainedOperation> {
    requireReadAll(identity);
    const { scheduler, openDatabase } = this.#options;
    const draft = question.source === null ? null : parseRules(question.source);
    const { explanation, source } = await scheduler.request((transaction) => {
      const database = openDatabase(name, transaction);
      const rules = draft ?? database.rules;
      return { explanation: explainNow(transaction, database, rules, question), source: rules.source };
    });
    const rules = explanation.rules.map(shorten);
    const deciding = explanation.deciding && shorten(explanation.deciding);
    return { ...explanation, rules, deciding, source };
  }
}

function explainNow(
  transaction: WriteTransaction,
  database: Database,
  rules: RuleSet,
  { auth, operation }: RuleQuestion,
): Explanation {
  const tree = database.tree(transaction);
  if (operation.kind === 'read') {
    const { path, query } = operation;
    return explainRead(rules, { auth, now: transaction.nowMs, tree, path, query });
  }
  const drafts = operation.kind === 'write' ? [operation.write] : operation.writes.toSorted(compareWrites);
  const now = transaction.commitTimeMs(database.name);
  return explainWrite(rules, { auth, now, tree, writes: resolveDraftWrites(drafts, tree, now) });
}

function shorten(trace: RuleTrace): ExplainedRule {
  return { ...trace, step: shortenStep(trace.step) };
}
