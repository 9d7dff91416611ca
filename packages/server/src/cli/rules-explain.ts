import { runCase } from '@hearth/core/rules/cases/run-case.ts';
import { systemClock } from '../ops/clock.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_EXPLAIN_OPTIONS } from '../ops/rules-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { askServer } from '../rules-cli/database-server.ts';
import { parseExplanation } from '../rules-cli/explanation-answer.ts';
import { formatExplanation } from '../rules-cli/format-explanation.ts';
import { explainBody, type OperationFlags, parseOperationFlags } from '../rules-cli/operation-flags.ts';
import { paintFor } from '../rules-cli/paint.ts';
import { mustParseRules, readSource, type SourceText } from '../rules-cli/rules-source.ts';
import { type AnyExplanation, showExplanation } from '../rules-cli/show-explanation.ts';
import { ServerGone } from '../transfer/server-link.ts';
import { printOutcome } from './print-outcome.ts';
import { readDatabaseServer, readRulesFor } from './rules-server.ts';

type ExplainFlags = FlagsOf<typeof RULES_EXPLAIN_OPTIONS>;

/** An explanation and the rules that its spans are parts of. */
interface Explained {
  readonly explanation: AnyExplanation;
  readonly rules: SourceText;
}

const NO_DATA: SourceText = { name: 'no data', source: 'null' };

/**
 * `hearth rules explain`: prints why an operation would be allowed or denied, on the data of a running server, or without one
 * on data of a file. Rejects with a sentence when it cannot be told.
 */
export async function runRulesExplain(flags: ExplainFlags): Promise<void> {
  const format = readOption(RULES_EXPLAIN_OPTIONS.format, flags.format);
  const dataFile = readOption(RULES_EXPLAIN_OPTIONS.data, flags.data);
  const { explanation, rules } =
    dataFile === null ? await explainOnServer(flags) : explainOnFile(flags, dataFile);
  printOutcome(format, explanation, () =>
    formatExplanation(showExplanation(explanation, rules), paintFor(process.stdout)),
  );
}

function explainOnFile(flags: ExplainFlags, dataFile: string): Explained {
  const rulesFile = readOption(RULES_EXPLAIN_OPTIONS.rules, flags.rules);
  const rules = readRulesFor(flags, rulesFile ?? undefined);
  const operation = parseOperationFlags(readOperation(flags), readSource(dataFile, process.cwd()));
  const outcome = runCase(mustParseRules(rules), operation, systemClock.nowMs(), null);
  if (outcome.kind === 'refused') throw new CommandFailure(outcome.reason);
  return { explanation: outcome.explanation, rules };
}

async function explainOnServer(flags: ExplainFlags): Promise<Explained> {
  const operation = readOperation(flags);
  const rulesFile = readOption(RULES_EXPLAIN_OPTIONS.rules, flags.rules);
  const draft = rulesFile === null ? null : readSource(rulesFile, process.cwd());
  if (draft !== null) mustParseRules(draft);
  const body = explainBody(operation, parseOperationFlags(operation, NO_DATA), draft?.source ?? null);
  const answer = await askServer(readDatabaseServer(flags), 'POST', 'rules/explain', body).catch(nameData);
  const rules = { name: draft?.name ?? 'rules', source: answer.member('source').text() };
  return { explanation: parseExplanation(answer), rules };
}

/** Who has no server may not know that none is needed. */
function nameData(cause: unknown): never {
  if (!(cause instanceof ServerGone)) throw cause;
  throw new StartFailure(
    `${cause.message} With data of a file, which is named with --data, no server is needed.`,
    cause,
  );
}

function readOperation(flags: ExplainFlags): OperationFlags {
  const text = (name: keyof OperationFlags): string | null =>
    readOption(RULES_EXPLAIN_OPTIONS[name], flags[name]);
  const operation: OperationFlags = {
    as: text('as'),
    read: text('read'),
    write: text('write'),
    update: text('update'),
    value: text('value'),
    query: text('query'),
  };
  if ([operation.read, operation.write, operation.update].filter((path) => path !== null).length !== 1)
    throw new StartFailure(
      'Name one operation: --read, --write or --update, with a path such as /rooms/lobby.',
    );
  return operation;
}
