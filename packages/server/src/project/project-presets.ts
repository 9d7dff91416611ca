import { isLoopback } from '../ops/is-loopback.ts';
import { parseProject } from '../ops/option.ts';
import type { Presets } from '../ops/options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import type { FirebaseProject } from './firebase-project.ts';

/**
 * What the project says of options: its default alias, and where its emulator listens. An address beyond this machine is
 * left out. Throws a `StartFailure`.
 */
export function projectPresets({ aliases, configName, emulator }: FirebaseProject): Presets {
  const { host, port } = emulator;
  const project = aliases.get('default');
  return {
    host: typeof host === 'string' && isLoopback(host) ? host : undefined,
    port: port === undefined ? undefined : parsePort(port, configName),
    project: project === undefined ? undefined : parseProject(project, 'the default project of .firebaserc'),
  };
}

/** The host beyond this machine that the project asks for, which development mode does not give. */
export function findForeignHost({ emulator }: FirebaseProject): string | undefined {
  const { host } = emulator;
  return typeof host === 'string' && !isLoopback(host) ? host : undefined;
}

function parsePort(port: unknown, configName: string): number {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartFailure(
    `${configName}: "port" of "emulators.database" must be a whole number from 0 to 65535.`,
  );
}

/** The project that a word stands for: an alias of `.firebaserc`, else the project of that name. */
export function resolveProject(project: FirebaseProject, word: string): string {
  return project.aliases.get(word) ?? word;
}
