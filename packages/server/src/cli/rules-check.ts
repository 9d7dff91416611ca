import { plural } from '../rules-cli/plural.ts';
import { checkRulesSource, findProjectRules, readSource } from '../rules-cli/rules-source.ts';
import { readProjectId } from './transfer-target.ts';

/**
 * `hearth rules check`: prints every problem of files of rules. The exit code is 1 when there are any. Rejects with a
 * `StartFailure` when there is no file.
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
        ? `${rules.name} is right.\n`
        : `${problems.join('\n')}\n${rules.name} has ${plural(problems.length, 'problem')}.\n`,
    );
  }
}
