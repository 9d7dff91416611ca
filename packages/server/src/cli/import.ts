import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { elapsedMs } from '../ops/clock.ts';
import { IMPORT_OPTIONS } from '../ops/command-options.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type DataPlace, dataAddress } from '../transfer/data-address.ts';
import { importFile } from '../transfer/import-file.ts';
import type { ImportMode, RemoteImport } from '../transfer/import-state.ts';
import { readText, refusalOf, type ServerLink, send } from '../transfer/server-link.ts';
import { SourceFile } from '../transfer/source-file.ts';
import { readTransferTarget } from './transfer-target.ts';
import { watchWork } from './watch-work.ts';

/** What a shell expects of a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * `hearth import`: sends a file to a running server. On a terminal it asks before data is replaced. Rejects with a sentence
 * when it cannot.
 */
export async function runImport(flags: FlagsOf<typeof IMPORT_OPTIONS>, file: string): Promise<void> {
  const { link, place } = readTransferTarget(flags);
  const mode = readMode(flags);
  const source = new SourceFile(resolve(file));
  const isAsked = mode === 'replace' && !readOption(IMPORT_OPTIONS.yes, flags.yes);
  if (isAsked && process.stdin.isTTY && process.stderr.isTTY) await confirm(link, place);
  const ended = await watchWork(async ({ signal, stage, onBytes, say }) => {
    stage(mode === 'compare' ? 'Comparing' : 'Importing');
    signal.addEventListener('abort', () => say('Give the same command again to go on from here.'));
    const isRestart = readOption(IMPORT_OPTIONS.restart, flags.restart);
    return importFile({ link, place, mode, source, isRestart, signal, elapsedMs, onBytes, report: say });
  });
  process.stdout.write(formatEnd(ended, mode, place));
}

function readMode(flags: FlagsOf<typeof IMPORT_OPTIONS>): ImportMode {
  const isMerge = readOption(IMPORT_OPTIONS.merge, flags.merge);
  if (!readOption(IMPORT_OPTIONS.dryRun, flags.dryRun)) return isMerge ? 'merge' : 'replace';
  if (isMerge)
    throw new StartFailure('--dry-run tells what a replacement would change: it does not go with --merge.');
  return 'compare';
}

/** Throws a `StartFailure` when there is data and the answer is not yes. */
async function confirm(link: ServerLink, place: DataPlace): Promise<void> {
  const path = dataAddress(place, { shallow: 'true' });
  const response = await send(link, { method: 'GET', path, signal: new AbortController().signal });
  if (response.status !== 200) throw await refusalOf(response);
  if ((await readText(response)) === 'null') return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Otherwise the question would wait for ever.
  terminal.once('SIGINT', () => process.exit(INTERRUPTED));
  const answer = await terminal.question(`Replace all that is at ${place.path} of ${place.database}? [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new StartFailure('Nothing was changed.');
}

function formatEnd(
  { offset, counts }: RemoteImport,
  mode: ImportMode,
  { path, database }: DataPlace,
): string {
  const of = (name: string): string => (counts[name] ?? 0).toLocaleString('en');
  switch (mode) {
    case 'replace':
      return `Imported ${offset.toLocaleString('en')} bytes to ${path} of ${database}.\n`;
    case 'merge':
      return `Merged ${of('children')} children into ${path} of ${database}.\n`;
    case 'compare':
      return `Dry run on ${path} of ${database}: ${of('added')} values added, ${of('changed')} changed, ${of('removed')} removed, ${of('unchanged')} unchanged. Nothing was written.\n`;
    default:
      return mode satisfies never;
  }
}
