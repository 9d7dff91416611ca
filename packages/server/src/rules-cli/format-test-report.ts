import { LineIndex } from '@hearth/core/rules/line-index.ts';
import { formatCoverage } from './format-coverage.ts';
import { formatExplanation } from './format-explanation.ts';
import type { Paint } from './paint.ts';
import { plural } from './plural.ts';
import type { SourceText } from './rules-source.ts';
import { showExplanation } from './show-explanation.ts';
import type { CaseReport, TestReport } from './test-report.ts';

/** The files that were tested. */
export interface TestedFiles {
  readonly rules: SourceText;
  readonly cases: SourceText;
}

/** One line for each case, below one that failed why, then coverage if it is there, and a line for all of them. */
export function formatTestReport(report: TestReport, files: TestedFiles, paint: Paint): readonly string[] {
  const lines = [
    ...report.cases.flatMap((each) => formatCase(each, files, paint)),
    ...(report.coverage === null ? [] : ['', ...formatCoverage(report.coverage, files.rules.name, paint)]),
    '',
    summary(report, paint),
  ];
  // What is set apart on both sides meets what is set apart, too.
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
}

function formatCase({ ruleCase, outcome }: CaseReport, files: TestedFiles, paint: Paint): readonly string[] {
  if (outcome.isExpected) return [`${paint('green', 'ok')}    ${ruleCase.name}`];
  const head = `${paint('red', 'FAIL')}  ${paint('bold', ruleCase.name)}  ${paint('dim', placeOf(ruleCase.offset, files.cases))}`;
  const expected = `expected to be ${ruleCase.isAllowed ? 'allowed' : 'denied'}`;
  const why =
    outcome.kind === 'refused'
      ? [`${expected}, but it is no operation that rules decide: ${outcome.reason}`]
      : [expected, ...formatExplanation(showExplanation(outcome.explanation, files.rules), paint)];
  return ['', head, ...why.map((line) => (line === '' ? '' : `      ${line}`)), ''];
}

function summary({ cases, failed }: TestReport, paint: Paint): string {
  if (failed === 0) return paint('green', `${plural(cases.length, 'case')} passed.`);
  return paint('red', `${failed} of ${plural(cases.length, 'case')} failed.`);
}

/** The same for programs. */
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
      ...(outcome.kind === 'refused' ? { refused: outcome.reason } : { explanation: outcome.explanation }),
    })),
    ...(coverage === null ? {} : { coverage }),
  };
}

function placeOf(offset: number, { name, source }: SourceText): string {
  const { line, column } = new LineIndex(source).positionOf(offset);
  return `${name}:${line}:${column}`;
}
