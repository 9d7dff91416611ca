import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Companion } from '../app.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import type { Options } from '../ops/options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { readVersion } from '../ops/version.ts';
import type { EmulatorProduct } from '../project/emulator-product.ts';
import { accountsProduct } from '../project/export-emulator-accounts.ts';
import { exportEmulatorData } from '../project/export-emulator-data.ts';
import { databaseProduct } from '../project/export-emulator-databases.ts';
import { importEmulatorAccounts } from '../project/import-emulator-accounts.ts';
import { importEmulatorData } from '../project/import-emulator-data.ts';
import { ProjectAccounts } from '../project/project-accounts.ts';

/**
 * Imports what `--import` names at the start, and exports to where `--export-on-exit` says at the end. Throws a
 * `StartFailure` when nobody says where.
 */
export function emulatorCompanion(
  { import: source, exportOnExit, project }: Pick<Options, 'import' | 'exportOnExit' | 'project'>,
  report: (line: string) => void,
): Companion {
  const target = exportOnExit === '' ? source : exportOnExit;
  if (exportOnExit === '' && source === null)
    throw new StartFailure('--export-on-exit needs a directory, or --import with one.');
  return async ({ databases, imports, databaseNames, accounts: services }) => {
    const accounts = new ProjectAccounts(services, project);
    let importedAccounts: number | undefined;
    if (source !== null && !existsSync(source) && target !== null)
      report(`There is no directory ${resolve(source)} yet: nothing is imported.`);
    else if (source !== null) {
      const names = await importEmulatorData(source, imports, report);
      importedAccounts = await importEmulatorAccounts(source, accounts, report);
      report(`Imported ${describe(names, importedAccounts)} from ${resolve(source)}.`);
    }
    return {
      async [Symbol.asyncDispose]() {
        if (target === null) return;
        const products = [
          databaseProduct({ databases, databaseNames }),
          accountsProduct(accounts, importedAccounts !== undefined),
        ];
        const words = await exportOrFail(target, products);
        report(`Exported ${words.join(' and ')} to ${resolve(target)}.`);
      },
    };
  };
}

async function exportOrFail(
  target: string,
  products: readonly EmulatorProduct[],
): Promise<readonly string[]> {
  try {
    return await exportEmulatorData(target, readVersion(), products);
  } catch (cause) {
    throw new CommandFailure(
      `Nothing was exported to ${resolve(target)}: ${cause instanceof Error ? cause.message : String(cause)}. The data is safe in the data directory.`,
      cause,
    );
  }
}

function describe(names: readonly string[], accounts: number | undefined): string {
  const databases = names.length === 0 ? 'no database' : names.join(', ');
  return accounts === undefined ? databases : `${databases} and ${accounts} accounts`;
}
