import { resolve } from 'node:path';
import { isJsonObject } from '../auth/fields.ts';
import { StartFailure } from '../platform/failures.ts';
import { child, type FirebaseProject } from './firebase-json.ts';

/** A rules file, and the databases for which it is used. */
export interface RulesFile {
  /** Absolute path. */
  readonly path: string;
  readonly databases: readonly string[];
}

/**
 * Returns the rules files in the entry `database`. A single file is used for the project's default database, and
 * for the database with the name of the project, which some tools use. Several files are used for the instances
 * that they name, or that `.firebaserc` lists for their target. Throws a `StartFailure` that describes the
 * problem.
 */
export function findRulesFiles(project: FirebaseProject, projectId: string): readonly RulesFile[] {
  const { database, configName } = project;
  if (Array.isArray(database))
    return requireDistinct(
      configName,
      database.map((item) => parseItem(project, projectId, item)),
    );
  if (database === undefined) return [];
  if (!isJsonObject(database))
    throw new StartFailure(`${configName}: "database" must be an object, or an array of objects.`);
  if (database['rules'] === undefined) return [];
  return [
    { path: parseFile(project, database['rules']), databases: [`${projectId}-default-rtdb`, projectId] },
  ];
}

function parseItem(project: FirebaseProject, projectId: string, item: unknown): RulesFile {
  if (!isJsonObject(item))
    throw new StartFailure(`${project.configName}: "database" must be an object, or an array of objects.`);
  return {
    path: parseFile(project, item['rules']),
    databases: findInstances(project, projectId, item['instance'], item['target']),
  };
}

function parseFile({ configName, directory }: FirebaseProject, name: unknown): string {
  if (typeof name !== 'string' || name === '')
    throw new StartFailure(`${configName}: "rules" of "database" must be the name of a file.`);
  return resolve(directory, name);
}

function findInstances(
  project: FirebaseProject,
  projectId: string,
  instance: unknown,
  target: unknown,
): readonly string[] {
  const { configName } = project;
  if (target === undefined && instance === undefined)
    throw new StartFailure(`${configName}: an item of "database" needs an "instance" or a "target".`);
  if (target === undefined) return [parseInstance(instance, configName)];
  const targets = isJsonObject(project.targets) ? project.targets : {};
  const found = child(child(targets, projectId), 'database')[String(target)];
  if (!Array.isArray(found) || found.length === 0)
    throw new StartFailure(
      `${configName}: the target ${JSON.stringify(target)} of "database" has no instances in the project ${projectId}. Name them with: firebase target:apply database ${String(target)} <instance>`,
    );
  return found.map((name) => parseInstance(name, '.firebaserc'));
}

function parseInstance(value: unknown, file: string): string {
  if (typeof value !== 'string' || !/^[a-z0-9-]{1,63}$/i.test(value))
    throw new StartFailure(
      `${file}: ${JSON.stringify(value)} is not the name of a database instance: 1 to 63 letters, digits and hyphens.`,
    );
  return value.toLowerCase();
}

/** Throws a `StartFailure` if two files are for the same database. */
function requireDistinct(configName: string, files: readonly RulesFile[]): readonly RulesFile[] {
  const seen = new Set<string>();
  for (const name of files.flatMap(({ databases }) => databases)) {
    if (seen.has(name)) throw new StartFailure(`${configName}: "database" names rules for ${name} twice.`);
    seen.add(name);
  }
  return files;
}
