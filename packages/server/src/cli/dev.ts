import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Service, startApp } from '../app/app.ts';
import { developmentMode } from '../app/development-mode.ts';
import { accountsProduct, importEmulatorAccounts, ProjectAccounts } from '../emulator/accounts.ts';
import { databaseProduct, exportEmulatorData } from '../emulator/export.ts';
import type { EmulatorProduct } from '../emulator/export-format.ts';
import {
  type FirebaseProject,
  findFirebaseProject,
  findForeignHost,
  projectPresets,
  resolveProject,
} from '../emulator/firebase-json.ts';
import { importEmulatorData } from '../emulator/import.ts';
import { findRulesFiles, type RulesFile } from '../emulator/rules-files.ts';
import { keepRules } from '../emulator/watch-rules.ts';
import { CommandFailure, StartFailure } from '../platform/failures.ts';
import { createLogger } from '../platform/logger.ts';
import { readVersion } from '../platform/process.ts';
import { type Flags, type Options, readOptions } from '../platform/server-options.ts';
import { LOCAL_TOKEN } from './find-server.ts';
import { LastResort } from './last-resort.ts';
import { removeLocalAccess, writeLocalAccess } from './local-access.ts';
import { plural } from './rules/terminal.ts';
import { awaitStopSignal } from './signals.ts';

/** Returns the text that the terminal shows when the server starts. */
export function formatBanner(
  url: string,
  dataPath: string,
  { project }: Options,
  configName: string | undefined,
  rulesFiles: readonly RulesFile[],
): string {
  const { hostname, port } = new URL(url);
  return `
Hearth, development mode: this machine only; every user of this machine is an administrator.

  Console   ${url}/console
  Data      ${dataPath}
${configName === undefined ? '' : `  Project   ${project}, from ${configName}\n`}  Connect   connectDatabaseEmulator(getDatabase(app), '${hostname}', ${port})
            or databaseURL: '${url}?ns=${project}-default-rtdb'
            connectAuthEmulator(getAuth(app), '${url}')
  Emails    ${url}/emulator/mail
  SMS       ${url}/emulator/sms
  REST      curl '${url}/.json?ns=${project}-default-rtdb'
${rulesFiles.length === 0 ? openRules(url, project) : watchedRules(rulesFiles)}  Stop      Ctrl-C

`;
}

function openRules(url: string, project: string): string {
  return `  Rules     open until you load rules: curl -T database.rules.json -H 'Authorization: Bearer owner' \\
            '${url}/.settings/rules.json?ns=${project}-default-rtdb'
`;
}

function watchedRules(files: readonly RulesFile[]): string {
  const lines = files.map(({ path, databases }) => `${path}, for ${databases.join(' and ')}`);
  return `  Rules     ${lines.join('\n            ')}
            reloaded on every change; all other databases are open
`;
}

/**
 * Returns a service that imports from the directory of `--import` on start and exports to the directory of
 * `--export-on-exit` on exit. Throws a `StartFailure` if `--export-on-exit` is given but neither option names
 * a directory.
 */
export function emulatorService(
  { import: source, exportOnExit, project }: Pick<Options, 'import' | 'exportOnExit' | 'project'>,
  report: (line: string) => void,
): Service {
  const target = exportOnExit === '' ? source : exportOnExit;
  if (exportOnExit === '' && source === null)
    throw new StartFailure('--export-on-exit needs a directory: name one, or add --import with a directory.');
  return async ({ databases, imports, databaseNames, accounts: services }) => {
    const accounts = new ProjectAccounts(services, project);
    let importedAccounts: number | undefined;
    if (source !== null && !existsSync(source) && target !== null)
      report(`The directory ${resolve(source)} does not exist yet. Nothing was imported.`);
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
  return accounts === undefined ? databases : `${databases} and ${plural(accounts, 'account')}`;
}

/**
 * Runs `hearth dev`: serves in development mode until a stop signal arrives. Writes only the `ready` line to
 * standard output. Rejects with a `StartFailure` if the server cannot start.
 */
export async function runDev(flags: Flags): Promise<void> {
  const from = process.cwd();
  const project = findFirebaseProject(from);
  const options = readDevOptions(flags, project);
  const rulesFiles = project === undefined ? [] : findRulesFiles(project, options.project);
  const extraServices: readonly Service[] = [
    emulatorService(options, report),
    (access) => keepRules(rulesFiles, access, from, report),
  ];
  // Observe stop signals from here on, so that a stop signal during the start is not lost.
  const stopped = awaitStopSignal();
  const logger = createLogger(options.logLevel, process.stderr);
  const lastResort = new LastResort(logger);
  const app = await startApp(options, developmentMode(options), logger, extraServices);
  // Other commands find the server by this file. Its credential is not a secret in development mode.
  writeLocalAccess(app.dataPath, {
    url: app.url,
    publicUrl: app.url,
    token: LOCAL_TOKEN,
    certificate: null,
  });
  process.stderr.write(formatBanner(app.url, app.dataPath, options, project?.configName, rulesFiles));
  process.stdout.write(`ready ${app.url}\n`);
  await Promise.race([stopped, lastResort.failed]);
  removeLocalAccess(app.dataPath);
  await app.close();
  lastResort.throwIfFailed();
}

function readDevOptions(flags: Flags, project: FirebaseProject | undefined): Options {
  if (project === undefined) return readOptions(flags);
  const options = readOptions(flags, undefined, projectPresets(project));
  const foreignHost = findForeignHost(project);
  if (foreignHost !== undefined)
    report(
      `${project.configName} sets the host ${foreignHost}, but development mode listens on this machine only. Using ${options.host} instead.`,
    );
  return { ...options, project: resolveProject(project, options.project) };
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
