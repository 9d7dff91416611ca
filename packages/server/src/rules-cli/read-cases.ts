import { parseCaseFile } from '@hearth/core/rules/cases/parse-case-file.ts';
import type { RuleCase } from '@hearth/core/rules/cases/rule-case.ts';
import { formatProblems } from '@hearth/core/rules/problem.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { nameProblems, type SourceText } from './rules-source.ts';

/** Reads the text of a file of cases. Throws a `CommandFailure` with every problem, or because there are none. */
export function mustParseCases({ name, source }: SourceText): readonly RuleCase[] {
  const parsed = parseCaseFile(source);
  if (parsed.kind === 'cases' && parsed.cases.length === 0)
    throw new CommandFailure(`${name} has no cases, so nothing was tested.`);
  if (parsed.kind === 'cases') return parsed.cases;
  const problems = nameProblems(name, formatProblems(source, parsed.problems));
  throw new CommandFailure(`the cases are wrong\n${problems.join('\n')}`);
}
