import { writeFileSync } from 'node:fs';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { RULES_REPLAY_OPTIONS } from '../ops/rules-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { explainFileError } from '../rules-cli/explain-file-error.ts';
import { formatReplay } from '../rules-cli/format-replay.ts';
import { paintFor } from '../rules-cli/paint.ts';
import { plural } from '../rules-cli/plural.ts';
import { examplesOf, replayRules } from '../rules-cli/replay-report.ts';
import { mustParseRules } from '../rules-cli/rules-source.ts';
import { printOutcome } from './print-outcome.ts';
import { readDatabaseServer, readRulesFor } from './rules-server.ts';

/**
 * `hearth rules replay`: prints which recent operations of a running server draft rules would decide otherwise. Rejects with
 * every problem of the draft, or with a sentence when the server cannot tell.
 */
export async function runRulesReplay(
  flags: FlagsOf<typeof RULES_REPLAY_OPTIONS>,
  file?: string,
): Promise<void> {
  const format = readOption(RULES_REPLAY_OPTIONS.format, flags.format);
  const saved = readOption(RULES_REPLAY_OPTIONS.save, flags.save);
  const draft = readRulesFor(flags, file);
  mustParseRules(draft);
  const report = await replayRules(readDatabaseServer(flags), draft.source);
  printOutcome(format, report, () => formatReplay(report, draft.name, paintFor(process.stdout)));
  if (saved !== null) saveExamples(saved, examplesOf(report));
}

function saveExamples(file: string, cases: readonly unknown[]): void {
  if (cases.length === 0) {
    process.stderr.write('There are no examples to save.\n');
    return;
  }
  try {
    writeFileSync(file, `${JSON.stringify({ cases }, null, 2)}\n`, { flag: 'wx' });
  } catch (cause) {
    throw new StartFailure(`The examples were not saved: ${file} ${explainFileError(cause)}.`, cause);
  }
  process.stderr.write(`Saved ${plural(cases.length, 'example')} to ${file}.\n`);
}
