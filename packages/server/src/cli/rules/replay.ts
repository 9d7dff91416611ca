import { writeFileSync } from 'node:fs';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import {
  type AnswerJson,
  callDatabaseApi,
  type DatabaseServer,
  readDatabaseServer,
  readRulesFor,
} from './database-client.ts';
import { RULES_REPLAY_OPTIONS } from './options.ts';
import { explainFileError, parseRulesOrThrow } from './source.ts';
import { type Paint, paintFor, plural, printable, printOutcome } from './terminal.ts';
import { parseRuleName } from './trace.ts';

/** Operations that the draft decides differently, grouped by the deciding rule. */
export interface ReplayGroup {
  /** The deciding rule of the draft, for example `.write of /rooms/$id`; `null` if no rule decides. */
  readonly rule: string | null;
  /** The expression of the rule; empty if no rule decides. */
  readonly text: string;
  readonly count: number;
  /** Cases for `hearth rules test`. */
  readonly examples: readonly unknown[];
}

/** The recorded operations that draft rules decide differently. */
export interface ReplayReport {
  readonly operations: number;
  /** The number of operations that were too long to be recorded. */
  readonly notRecorded: number;
  /** The number of operations that arrived too fast to be recorded. */
  readonly sampledOut: number;
  readonly allowedToDenied: readonly ReplayGroup[];
  readonly deniedToAllowed: readonly ReplayGroup[];
}

/** Asks the server to evaluate draft rules for recent operations. Returns the changed results. */
export async function replayRules(server: DatabaseServer, source: string): Promise<ReplayReport> {
  const answer = await callDatabaseApi(server, 'POST', 'rules/replay', JSON.stringify({ source }));
  return {
    operations: answer.member('operations').number(),
    notRecorded: answer.member('notRecorded').number(),
    sampledOut: answer.member('sampledOut').number(),
    allowedToDenied: answer.member('allowedToDenied').items().map(parseGroup),
    deniedToAllowed: answer.member('deniedToAllowed').items().map(parseGroup),
  };
}

/** Returns all examples of a report. */
export function examplesOf({ allowedToDenied, deniedToAllowed }: ReplayReport): readonly unknown[] {
  return [...allowedToDenied, ...deniedToAllowed].flatMap(({ examples }) => examples);
}

function parseGroup(answer: AnswerJson): ReplayGroup {
  const rule = answer.member('rule');
  return {
    rule: rule.optional(parseRuleName),
    text: rule.optional((decider) => decider.member('text').text()) ?? '',
    count: answer.member('count').number(),
    examples: answer
      .member('examples')
      .items()
      .map(({ json }) => json),
  };
}

/** Maximum length of a printed example or expression, in characters. */
const MAX_TEXT = 160;

/** Returns the lines of a report: for each rule, the number of changed results, with examples. */
export function formatReplay(report: ReplayReport, draft: string, paint: Paint): readonly string[] {
  const { operations, allowedToDenied, deniedToAllowed } = report;
  if (operations === 0)
    return ['No operations were recorded. In development mode, the server records them while it runs.'];
  const missing = formatMissing(report);
  const left = missing === undefined ? [] : ['', missing];
  const changed = [...allowedToDenied, ...deniedToAllowed].reduce((sum, { count }) => sum + count, 0);
  if (changed === 0)
    return [
      `${paint('green', `${draft} changes nothing`)} for ${plural(operations, 'recorded operation')}.`,
      ...left,
    ];
  return [
    `${draft} changes the result of ${changed.toLocaleString('en')} of ${plural(operations, 'recorded operation')}.`,
    ...formatGroups(paint('red', 'Allowed before, denied by the draft'), allowedToDenied),
    ...formatGroups(paint('yellow', 'Denied before, allowed by the draft'), deniedToAllowed),
    ...left,
  ];
}

/** Returns a sentence about the operations that were not recorded; `undefined` if all were recorded. */
function formatMissing({ notRecorded, sampledOut }: ReplayReport): string | undefined {
  const [first, second] = [
    { count: notRecorded, why: 'were too long to be recorded' },
    { count: sampledOut, why: 'arrived too fast to be recorded' },
  ].filter(({ count }) => count > 0);
  if (first === undefined) return undefined;
  const also = second === undefined ? '' : `, and ${second.count.toLocaleString('en')} that ${second.why}`;
  return `Not included: ${plural(first.count, 'operation')} that ${first.why}${also}.`;
}

function formatGroups(title: string, groups: readonly ReplayGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  return [
    '',
    title,
    ...groups.flatMap(({ rule, text, count, examples }) => [
      `  ${String(count).padStart(width)}  ${rule === null ? 'no rule' : `${rule}: ${cut(printable(text))}`}`,
      ...examples.map((example) => `  ${' '.repeat(width)}    ${formatExample(example)}`),
    ]),
  ];
}

function formatExample(example: unknown): string {
  return cut(printable(JSON.stringify(example) ?? ''));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/**
 * Runs `hearth rules replay`: prints the recent operations of a running server whose results the draft
 * changes. Rejects with every problem of the draft, or with a message for the user if the request fails.
 */
export async function runRulesReplay(
  flags: FlagsOf<typeof RULES_REPLAY_OPTIONS>,
  file?: string,
): Promise<void> {
  const format = readOption(RULES_REPLAY_OPTIONS.format, flags.format);
  const saved = readOption(RULES_REPLAY_OPTIONS.save, flags.save);
  const draft = readRulesFor(flags, file);
  parseRulesOrThrow(draft);
  const report = await replayRules(readDatabaseServer(flags), draft.source);
  printOutcome(format, report, () => formatReplay(report, draft.name, paintFor(process.stdout)));
  if (saved !== null) saveExamples(saved, examplesOf(report));
}

function saveExamples(file: string, cases: readonly unknown[]): void {
  if (cases.length === 0) {
    process.stderr.write('No examples to save.\n');
    return;
  }
  try {
    writeFileSync(file, `${JSON.stringify({ cases }, null, 2)}\n`, { flag: 'wx' });
  } catch (cause) {
    throw new StartFailure(`The examples were not saved: ${file} ${explainFileError(cause)}.`, cause);
  }
  process.stderr.write(`Saved ${plural(cases.length, 'example')} to ${file}.\n`);
}
