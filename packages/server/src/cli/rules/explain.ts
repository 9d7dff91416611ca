import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import type { RuleCase } from '@hearth/core/rules/cases/operation.ts';
import { runCase } from '@hearth/core/rules/cases/run.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { systemClock } from '../../platform/clock.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { ServerUnreachable } from '../transfer/server-link.ts';
import { type AnswerJson, callDatabaseApi, readDatabaseServer, readRulesFor } from './database-client.ts';
import { formatExplanation } from './format-trace.ts';
import { RULES_EXPLAIN_OPTIONS } from './options.ts';
import { parseRulesOrThrow, readSource, type SourceText } from './source.ts';
import { paintFor, printOutcome } from './terminal.ts';
import { type AnyExplanation, type AnyRuleTrace, parseKind, parseStep, showExplanation } from './trace.ts';

/** Parses an explanation. Throws a `CommandFailure` if the JSON has an unexpected form. */
export function parseExplanation(answer: AnswerJson): AnyExplanation {
  return {
    isAllowed: answer.member('isAllowed').boolean(),
    deniedPath: answer.member('deniedPath').optional((evaluatedPath) => evaluatedPath.text()),
    rules: answer.member('rules').items().map(parseRuleTrace),
    deciding: answer.member('deciding').optional(parseRuleTrace),
  };
}

function parseRuleTrace(answer: AnswerJson): AnyRuleTrace {
  return {
    kind: parseKind(answer.member('kind')),
    location: answer.member('location').text(),
    place: answer.member('place').text(),
    holds: answer.member('holds').boolean(),
    step: parseStep(answer.member('step')),
  };
}

/** The options that describe an operation. `null` means that the option is not given. */
export interface OperationFlags {
  readonly as: string | null;
  readonly read: string | null;
  readonly write: string | null;
  readonly update: string | null;
  readonly value: string | null;
  readonly query: string | null;
}

const OPERATIONS = ['read', 'write', 'update'] as const;

/**
 * Parses the operation that the options describe. `data` is the data in export form. Throws a `StartFailure`
 * if an option or the data is invalid.
 */
export function parseOperationFlags(flags: OperationFlags, data: SourceText): RuleCase {
  requireJson(data.source, data.name);
  const text = caseText(flags, data.source);
  const parsed = parseCaseFile(text);
  const [only] = parsed.kind === 'cases' ? parsed.cases : [];
  if (only !== undefined) return only;
  const messages = parsed.kind === 'wrong' ? parsed.problems.map(({ message }) => message) : [];
  throw new StartFailure(`The operation is not valid. ${messages.join(' ')}`);
}

/**
 * Returns the request body that asks a server to explain the operation. `source` is the text of draft rules;
 * with `null`, the server uses the published rules.
 */
export function explainBody(flags: OperationFlags, { auth }: RuleCase, source: string | null): string {
  const operation = OPERATIONS.find((kind) => flags[kind] !== null) ?? 'read';
  const fields = [
    ['auth', JSON.stringify(auth)],
    ['operation', JSON.stringify(operation)],
    ['path', JSON.stringify(flags[operation])],
    ['value', flags.value],
    ['query', flags.query],
    ['source', source === null ? null : JSON.stringify(source)],
  ] as const;
  return objectText(fields);
}

function caseText(flags: OperationFlags, data: string): string {
  requireJson(flags.value, '--value');
  requireJson(flags.query, '--query');
  const only = objectText([
    ['as', flags.as === null ? null : identityText(flags.as)],
    ...OPERATIONS.map((kind) => [kind, flags[kind] === null ? null : JSON.stringify(flags[kind])] as const),
    ['value', flags.value],
    ['query', flags.query],
    ['expect', '"allow"'],
  ]);
  return `{"data":${data},"cases":[${only}]}`;
}

function identityText(as: string): string {
  if (!as.startsWith('{')) return JSON.stringify(as);
  requireJson(as, '--as');
  return as;
}

/**
 * Returns the text of a JSON object. The values of its members are JSON text. Members that are `null` are
 * omitted.
 */
function objectText(members: readonly (readonly [name: string, json: string | null])[]): string {
  const present = members.filter(([, json]) => json !== null);
  return `{${present.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function requireJson(text: string | null, name: string): void {
  if (text === null) return;
  try {
    parseJsonText(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new StartFailure(`${name} must be JSON, such as {"a":1} or "text": ${cause.message}.`, cause);
  }
}

type ExplainFlags = FlagsOf<typeof RULES_EXPLAIN_OPTIONS>;

/** An explanation, and the rules that its spans refer to. */
interface ExplanationWithRules {
  readonly explanation: AnyExplanation;
  readonly rules: SourceText;
}

const NO_DATA: SourceText = { name: 'no data', source: 'null' };

/**
 * Runs `hearth rules explain`: prints why an operation would be allowed or denied. It uses the data of a
 * running server, or with `--data` the data of a file, without a server. Rejects with a message for the user
 * if the operation cannot be explained.
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

function explainOnFile(flags: ExplainFlags, dataFile: string): ExplanationWithRules {
  const rulesFile = readOption(RULES_EXPLAIN_OPTIONS.rules, flags.rules);
  const rules = readRulesFor(flags, rulesFile ?? undefined);
  const operation = parseOperationFlags(readOperation(flags), readSource(dataFile, process.cwd()));
  const outcome = runCase(parseRulesOrThrow(rules), operation, systemClock.nowMs(), null);
  if (outcome.kind === 'rejected') throw new CommandFailure(outcome.reason);
  return { explanation: outcome.explanation, rules };
}

async function explainOnServer(flags: ExplainFlags): Promise<ExplanationWithRules> {
  const operation = readOperation(flags);
  const rulesFile = readOption(RULES_EXPLAIN_OPTIONS.rules, flags.rules);
  const draft = rulesFile === null ? null : readSource(rulesFile, process.cwd());
  if (draft !== null) parseRulesOrThrow(draft);
  const body = explainBody(operation, parseOperationFlags(operation, NO_DATA), draft?.source ?? null);
  const answer = await callDatabaseApi(readDatabaseServer(flags), 'POST', 'rules/explain', body).catch(
    suggestDataFile,
  );
  const rules = { name: draft?.name ?? 'rules', source: answer.member('source').text() };
  return { explanation: parseExplanation(answer), rules };
}

/** Rethrows an error. If the server does not answer, the message also suggests `--data`. */
function suggestDataFile(cause: unknown): never {
  if (!(cause instanceof ServerUnreachable)) throw cause;
  throw new StartFailure(
    `${cause.message} To explain without a server, name a data file with --data.`,
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
      'Specify one operation: --read, --write or --update, with a path such as /rooms/lobby.',
    );
  return operation;
}
