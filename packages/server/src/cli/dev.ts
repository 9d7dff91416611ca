import { type Companion, startApp } from '../app.ts';
import { developmentMode } from '../mode/development-mode.ts';
import { createLogger } from '../ops/logger.ts';
import { type Flags, type Options, readOptions } from '../ops/options.ts';
import { type FirebaseProject, findFirebaseProject } from '../project/firebase-project.ts';
import { keepRules } from '../project/keep-rules.ts';
import { findForeignHost, projectPresets, resolveProject } from '../project/project-presets.ts';
import { findRulesFiles } from '../project/rules-files.ts';
import { formatBanner } from './banner.ts';
import { emulatorCompanion } from './emulator-companion.ts';
import { awaitStopSignal } from './stop-signal.ts';

/**
 * `hearth dev`: serves in development mode until it is asked to stop. Standard output gets the `ready` line and
 * nothing else. Rejects with a `StartFailure` when the server cannot start.
 */
export async function runDev(flags: Flags): Promise<void> {
  const from = process.cwd();
  const project = findFirebaseProject(from);
  const options = readDevOptions(flags, project);
  const rulesFiles = project === undefined ? [] : findRulesFiles(project, options.project);
  const companions: readonly Companion[] = [
    emulatorCompanion(options, report),
    (access) => keepRules(rulesFiles, access, from, report),
  ];
  // From here on, so that a request to stop during the start is not lost.
  const stopped = awaitStopSignal();
  const logger = createLogger(options.logLevel, process.stderr);
  const app = await startApp(options, developmentMode(options), logger, companions);
  process.stderr.write(formatBanner(app.url, app.dataPath, options, project?.configName, rulesFiles));
  process.stdout.write(`ready ${app.url}\n`);
  await stopped;
  await app.close();
}

function readDevOptions(flags: Flags, project: FirebaseProject | undefined): Options {
  if (project === undefined) return readOptions(flags);
  const options = readOptions(flags, undefined, projectPresets(project));
  const foreignHost = findForeignHost(project);
  if (foreignHost !== undefined)
    report(
      `${project.configName} asks for the host ${foreignHost}; development mode is for this machine only, so it is ${options.host}.`,
    );
  return { ...options, project: resolveProject(project, options.project) };
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
