import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  type DocumentValue,
  parseRulesDocument,
  RulesSyntaxError,
} from '@hearth/core/rules/syntax/document.ts';
import { formatProblems } from '@hearth/core/rules/syntax/problems.ts';
import { isJsonObject, type JsonObject } from '../auth/fields.ts';
import { StartFailure } from '../platform/failures.ts';
import { isLoopback } from '../platform/network-address.ts';
import { parseProject } from '../platform/option.ts';
import type { Presets } from '../platform/server-options.ts';

const NUMBER = /-?[0-9.]+(?:[eE][+-]?[0-9]+)?/y;

/**
 * Reads a file of a Firebase project: one object in JSON with comments. Returns `undefined` if the file does
 * not exist. Throws a `StartFailure` that begins with `file:line:column` if the content is invalid. `name` is
 * the name of the file in messages.
 */
export function findProjectFile(path: string, name: string): JsonObject | undefined {
  const source = findText(path, name);
  if (source === undefined) return undefined;
  const document = parseDocument(source, name);
  const json = toJson(document, source);
  if (!isJsonObject(json)) throw new StartFailure(`${name}:1:1: The file must contain an object in braces.`);
  return json;
}

function findText(path: string, name: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new StartFailure(`${name} cannot be read: ${String(cause)}.`, cause);
  }
}

function parseDocument(source: string, name: string): DocumentValue {
  try {
    return parseRulesDocument(source);
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    throw new StartFailure(`${name}:${formatProblems(source, [cause]).trimEnd()}`, cause);
  }
}

function toJson(value: DocumentValue, source: string): unknown {
  switch (value.kind) {
    case 'object':
      return Object.fromEntries(
        value.properties.map((property) => [property.name, toJson(property.value, source)]),
      );
    case 'array':
      return value.items.map((item) => toJson(item, source));
    case 'string':
    case 'boolean':
      return value.value;
    case 'number':
      NUMBER.lastIndex = value.offset;
      return Number(NUMBER.exec(source)?.[0]);
    case 'null':
      return null;
    default:
      return value satisfies never;
  }
}

/** The parts of `firebase.json` and `.firebaserc` that concern the database. */
export interface FirebaseProject {
  /** Absolute path of the directory that contains `firebase.json`. */
  readonly directory: string;
  /** The name of `firebase.json` in messages: see `nameFrom`. */
  readonly configName: string;
  /** The entry `database`, unchecked. */
  readonly database: unknown;
  /** The address of the emulator, unchecked. */
  readonly emulator: { readonly host: unknown; readonly port: unknown };
  /** Project ids by alias. The alias `default` names the project to use if the command line names none. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The entry `targets` of `.firebaserc`, unchecked. */
  readonly targets: unknown;
}

const CONFIG = 'firebase.json';
const RC = '.firebaserc';

/**
 * Returns the Firebase project whose `firebase.json` is in a directory or the closest directory above it; `undefined`
 * if there is none. Throws a `StartFailure` if a file of the project cannot be read or is invalid.
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

/**
 * Returns the name of a file for messages: a relative path if the file is inside the directory, otherwise its
 * full path.
 */
export function nameFrom(directory: string, path: string): string {
  const name = relative(directory, path);
  return name.startsWith('..') ? path : name;
}

/** Returns the object in a field of an object; an empty object if the field contains none. */
export function child(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function findUpwards(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, CONFIG))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * Returns the options that the project sets: its default alias, and the address of its emulator. Ignores a host
 * that is not this machine. Throws a `StartFailure` if the port or the project id is invalid.
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

/** Returns the emulator's host if it is not this machine. Development mode does not listen there. */
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

/** Returns the project id for an alias of `.firebaserc`, or the word itself if it is not an alias. */
export function resolveProject(project: FirebaseProject, word: string): string {
  return project.aliases.get(word) ?? word;
}
