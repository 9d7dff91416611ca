import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findProjectFile, isObject, type JsonObject } from './project-file.ts';

/** What `firebase.json` and `.firebaserc` say, as far as it concerns the database. */
export interface FirebaseProject {
  /** Absolute path of the directory that holds `firebase.json`. */
  readonly directory: string;
  /** How people who work in `from` know that file. */
  readonly configName: string;
  /** The entry `database`, unchecked. */
  readonly database: unknown;
  /** Where the emulator is to listen, unchecked. */
  readonly emulator: { readonly host: unknown; readonly port: unknown };
  /** Project ids by alias; `default` is the one of whoever names none. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The entry `targets` of `.firebaserc`, unchecked. */
  readonly targets: unknown;
}

const CONFIG = 'firebase.json';
const RC = '.firebaserc';

/**
 * The Firebase project that a directory belongs to: `firebase.json` is in it or above it. Throws a `StartFailure` when a
 * file of the project cannot be read.
 */
export function findFirebaseProject(from: string): FirebaseProject | undefined {
  const directory = findUpwards(from);
  if (directory === undefined) return undefined;
  const configName = nameFrom(from, join(directory, CONFIG));
  const config = findProjectFile(join(directory, CONFIG), configName) ?? {};
  const rc = findProjectFile(join(directory, RC), nameFrom(from, join(directory, RC))) ?? {};
  const emulator = child(child(config, 'emulators'), 'database');
  return {
    directory,
    configName,
    database: config['database'],
    emulator: { host: emulator['host'], port: emulator['port'] },
    aliases: new Map(
      Object.entries(child(rc, 'projects')).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
    targets: rc['targets'],
  };
}

/** How somebody who works in a directory knows a file: by a short relative name if it is inside. */
export function nameFrom(directory: string, path: string): string {
  const name = relative(directory, path);
  return name.startsWith('..') ? path : name;
}

/** An object inside an object; empty if it is not there. */
export function child(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function findUpwards(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, CONFIG))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}
