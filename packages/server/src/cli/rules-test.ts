import { systemClock } from '../ops/clock.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_TEST_OPTIONS } from '../ops/rules-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { formatTestReport, testReportJson } from '../rules-cli/format-test-report.ts';
import { paintFor } from '../rules-cli/paint.ts';
import { mustParseCases } from '../rules-cli/read-cases.ts';
import { mustParseRules, readRulesSource, readSource } from '../rules-cli/rules-source.ts';
import { testRules } from '../rules-cli/test-report.ts';
import { printOutcome } from './print-outcome.ts';
import { readProjectId } from './transfer-target.ts';

/**
 * `hearth rules test`: runs cases against rules. `given` are the file of cases, and before it that of rules unless the
 * project names one. The exit code is 1 when a case fails. Rejects when a file is missing or wrong.
 */
export async function runRulesTest(
  flags: FlagsOf<typeof RULES_TEST_OPTIONS>,
  ...given: readonly string[]
): Promise<void> {
  const format = readOption(RULES_TEST_OPTIONS.format, flags.format);
  const [casesFile, rulesFile, ...more] = given.toReversed();
  if (casesFile === undefined || more.length > 0)
    throw new StartFailure('Name a file of rules, unless firebase.json names it, and a file of cases.');
  const from = process.cwd();
  const files = {
    rules: readRulesSource(rulesFile, { projectId: readProjectId(undefined), database: null, from }),
    cases: readSource(casesFile, from),
  };
  const rules = mustParseRules(files.rules);
  const cases = mustParseCases(files.cases);
  const isCovered = readOption(RULES_TEST_OPTIONS.coverage, flags.coverage);
  const report = testRules(rules, cases, systemClock.nowMs(), isCovered);
  if (report.failed > 0) process.exitCode = 1;
  printOutcome(format, testReportJson(report, files), () =>
    formatTestReport(report, files, paintFor(process.stdout)),
  );
}
