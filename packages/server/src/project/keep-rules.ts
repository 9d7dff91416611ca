import { nameFrom } from './firebase-project.ts';
import type { RulesFile } from './rules-files.ts';
import { RulesKeeper, type RulesTarget } from './rules-keeper.ts';

/** Often enough for somebody who has just made room on the disk. */
const RETRY_MS = 5_000;

/**
 * Puts the rules of files in force, and does so again whenever one changes, until it is disposed of. Names files as
 * people who work in `from` know them.
 */
export async function keepRules(
  files: readonly RulesFile[],
  target: RulesTarget,
  from: string,
  report: (line: string) => void,
): Promise<AsyncDisposable> {
  const keepers = new AsyncDisposableStack();
  for (const file of files)
    await keepers
      .use(new RulesKeeper({ file, name: nameFrom(from, file.path), target, report, retryMs: RETRY_MS }))
      .start();
  return keepers;
}
