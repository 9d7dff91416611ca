import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Companion } from '../app.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import type { Options } from '../ops/options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type ExportSource, exportEmulatorData } from '../project/export-emulator-data.ts';
import { importEmulatorData } from '../project/import-emulator-data.ts';
import { readVersion } from './version.ts';

/**
 * Imports what `--import` names at the start, and exports to where `--export-on-exit` says at the end. Throws a
 * `StartFailure` when nobody says where.
 */
export function emulatorCompanion(
  { import: source, exportOnExit }: Pick<Options, 'import' | 'exportOnExit'>,
  report: (line: string) => void,
): Companion {
  const target = exportOnExit === '' ? source : exportOnExit;
  if (exportOnExit === '' && source === null)
    throw new StartFailure('--export-on-exit needs a directory, or --import with one.');
  return async ({ databases, imports, databaseNames }) => {
    if (source !== null && !existsSync(source) && target !== null)
      report(`There is no directory ${resolve(source)} yet: nothing is imported.`);
    else if (source !== null)
      report(
        `Imported ${describe(await importEmulatorData(source, imports, report))} from ${resolve(source)}.`,
      );
    return {
      async [Symbol.asyncDispose]() {
        if (target === null) return;
        const names = await exportOrFail(target, { databases, databaseNames });
        report(`Exported ${describe(names)} to ${resolve(target)}.`);
      },
    };
  };
}

async function exportOrFail(target: string, source: ExportSource): Promise<readonly string[]> {
  try {
    return await exportEmulatorData(target, readVersion(), source);
  } catch (cause) {
    throw new CommandFailure(
      `Nothing was exported to ${resolve(target)}: ${cause instanceof Error ? cause.message : String(cause)}. The data is safe in the data directory.`,
      cause,
    );
  }
}

function describe(names: readonly string[]): string {
  return names.length === 0 ? 'no database' : names.join(', ');
}
