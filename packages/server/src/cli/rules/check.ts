import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import type { RuleCase } from '@hearth/core/rules/cases/operation.ts';
import { type CaseOutcome, runCase } from '@hearth/core/rules/cases/run.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { Coverage, type CoverageSummary, summarizeCoverage } from '@hearth/core/rules/explain/coverage.ts';
import { formatProblems, LineIndex } from '@hearth/core/rules/syntax/problems.ts';
import { systemClock } from '../../platform/clock.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { readProjectId } from '../transfer/target.ts';
import { formatExplanation } from './format-trace.ts';
import { RULES_TEST_OPTIONS } from './options.ts';
import {
  checkRulesSource,
  findProjectRules,
  nameProblems,
  parseRulesOrThrow,
  readRulesSource,
  readSource,
  type SourceText,
} from './source.ts';
import { formatTable, type Paint, paintFor, plural, printOutcome } from './terminal.ts';
import { showExplanation } from './trace.ts';

/**
 * Runs `hearth rules check`: prints every problem of rules files. The exit code is 1 if there are problems.
 * Rejects with a `StartFailure` if there is no file.
 */
export async function runRulesCheck(_flags: unknown, file?: string): Promise<void> {
  const from = process.cwd();
  const project = { projectId: readProjectId(undefined), database: null, from };
  for (const path of file === undefined ? findProjectRules(project) : [file]) {
    const rules = readSource(path, from);
    const problems = checkRulesSource(rules);
    if (problems.length > 0) process.exitCode = 1;
    process.stdout.write(
      problems.length === 0
        ? `${rules.name} is valid.\n`
        : `${problems.join('\n')}\n${rules.name} has ${plural(problems.length, 'problem')}.\n`,
    );
  }
}

/** Maximum length of a printed expression, in characters. */
const MAX_TEXT = 80;

/**
 * Returns the lines of the coverage: a summary, and one line for each expression that was never true, never
 * false or never evaluated.
 */
export function formatCoverage(
  { expressions, covered, gaps }: CoverageSummary,
  name: string,
  paint: Paint,
): readonly string[] {
  const head = `Coverage: ${covered} of ${plural(expressions, 'expression')} evaluated to both true and false.`;
  const table = formatTable(
    gaps.map(({ line, column, gap, text }) => [`${name}:${line}:${column}`, gap, shorten(text)]),
  );
  return [paint(gaps.length === 0 ? 'green' : 'yellow', head), ...table];
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

export interface CaseReport {
  readonly ruleCase: RuleCase;
  readonly outcome: CaseOutcome;
}

export interface TestReport {
  readonly cases: readonly CaseReport[];
  readonly failed: number;
  /** `null` if the caller did not request coverage. */
  readonly coverage: CoverageSummary | null;
}

/** Runs all cases. `nowMs` is the time of cases that specify none. */
export function testRules(
  rules: RuleSet,
  cases: readonly RuleCase[],
  nowMs: number,
  withCoverage: boolean,
): TestReport {
  const coverage = withCoverage ? new Coverage(rules) : null;
  const reports = cases.map((ruleCase) => ({ ruleCase, outcome: runCase(rules, ruleCase, nowMs, coverage) }));
  return {
    cases: reports,
    failed: reports.filter(({ outcome }) => !outcome.isExpected).length,
    coverage: coverage && summarizeCoverage(rules.source, coverage.list()),
  };
}

/** The files of a test run. */
export interface TestedFiles {
  readonly rules: SourceText;
  readonly cases: SourceText;
}

/**
 * Returns the lines of a report: one line for each case, followed by the reason if the case failed, then the
 * coverage if requested, then a summary.
 */
export function formatTestReport(report: TestReport, files: TestedFiles, paint: Paint): readonly string[] {
  const lines = [
    ...report.cases.flatMap((each) => formatCase(each, files, paint)),
    ...(report.coverage === null ? [] : ['', ...formatCoverage(report.coverage, files.rules.name, paint)]),
    '',
    summary(report, paint),
  ];
  // A failed case adds an empty line before and after itself. Adjacent empty lines become one.
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
}

function formatCase({ ruleCase, outcome }: CaseReport, files: TestedFiles, paint: Paint): readonly string[] {
  if (outcome.isExpected) return [`${paint('green', 'ok')}    ${ruleCase.name}`];
  const head = `${paint('red', 'FAIL')}  ${paint('bold', ruleCase.name)}  ${paint('dim', locationOf(ruleCase.offset, files.cases))}`;
  const expected = `expected to be ${ruleCase.isAllowed ? 'allowed' : 'denied'}`;
  const why =
    outcome.kind === 'rejected'
      ? [`${expected}, but rules do not decide this operation: ${outcome.reason}`]
      : [expected, ...formatExplanation(showExplanation(outcome.explanation, files.rules), paint)];
  return ['', head, ...why.map((line) => (line === '' ? '' : `      ${line}`)), ''];
}

function summary({ cases, failed }: TestReport, paint: Paint): string {
  if (failed === 0) return paint('green', `${plural(cases.length, 'case')} passed.`);
  return paint('red', `${failed} of ${plural(cases.length, 'case')} failed.`);
}

/** Returns a test report as JSON for programs that read it. */
export function testReportJson({ cases, failed, coverage }: TestReport, files: TestedFiles): unknown {
  const lines = new LineIndex(files.cases.source);
  return {
    passed: cases.length - failed,
    failed,
    cases: cases.map(({ ruleCase, outcome }) => ({
      name: ruleCase.name,
      ...lines.positionOf(ruleCase.offset),
      expected: ruleCase.isAllowed ? 'allow' : 'deny',
      passed: outcome.isExpected,
      ...(outcome.kind === 'rejected' ? { rejected: outcome.reason } : { explanation: outcome.explanation }),
    })),
    ...(coverage === null ? {} : { coverage }),
  };
}

function locationOf(offset: number, { name, source }: SourceText): string {
  const { line, column } = new LineIndex(source).positionOf(offset);
  return `${name}:${line}:${column}`;
}

/**
 * Parses the text of a case file. Throws a `CommandFailure` that lists every problem, or that reports that
 * the file contains no cases.
 */
export function parseCasesOrThrow({ name, source }: SourceText): readonly RuleCase[] {
  const parsed = parseCaseFile(source);
  if (parsed.kind === 'cases' && parsed.cases.length === 0)
    throw new CommandFailure(`${name} contains no cases. Nothing was tested.`);
  if (parsed.kind === 'cases') return parsed.cases;
  const problems = nameProblems(name, formatProblems(source, parsed.problems));
  throw new CommandFailure(`the cases are not valid\n${problems.join('\n')}`);
}

/**
 * Runs `hearth rules test`: runs cases against rules. `given` contains the case file, preceded by the rules
 * file unless the project names one. The exit code is 1 if a case fails. Rejects if a file is missing or
 * invalid.
 */
export async function runRulesTest(
  flags: FlagsOf<typeof RULES_TEST_OPTIONS>,
  ...given: readonly string[]
): Promise<void> {
  const format = readOption(RULES_TEST_OPTIONS.format, flags.format);
  const [casesFile, rulesFile, ...more] = given.toReversed();
  if (casesFile === undefined || more.length > 0)
    throw new StartFailure(
      'Specify a rules file and a case file. The rules file is optional if firebase.json names one.',
    );
  const from = process.cwd();
  const files = {
    rules: readRulesSource(rulesFile, { projectId: readProjectId(undefined), database: null, from }),
    cases: readSource(casesFile, from),
  };
  const rules = parseRulesOrThrow(files.rules);
  const cases = parseCasesOrThrow(files.cases);
  const withCoverage = readOption(RULES_TEST_OPTIONS.coverage, flags.coverage);
  const report = testRules(rules, cases, systemClock.nowMs(), withCoverage);
  if (report.failed > 0) process.exitCode = 1;
  printOutcome(format, testReportJson(report, files), () =>
    formatTestReport(report, files, paintFor(process.stdout)),
  );
}
