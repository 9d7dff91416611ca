import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/json-text.ts';
import { findFirebaseProject, nameFrom } from '../../emulator/firebase-json.ts';
import { findRulesFiles } from '../../emulator/rules-files.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

/** Why a file could not be read or made, as the end of a sentence that begins with its name. */
export function explainFileError(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'EEXIST':
      return 'already exists. Name a new file';
    case 'ENOTDIR':
      return 'does not exist: its folder is a file';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be opened: permission denied';
    default:
      return `cannot be opened (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

/** A text, and what people call the file it comes from. */
export interface SourceText {
  readonly name: string;
  readonly source: string;
}

/** Reads a file, by its name in a directory, without byte order mark. Throws a `StartFailure`. */
export function readSource(path: string, from: string): SourceText {
  const absolute = resolve(from, path);
  const name = nameFrom(from, absolute);
  try {
    return { name, source: withoutByteOrderMark(readFileSync(absolute, 'utf8')) };
  } catch (cause) {
    throw new StartFailure(`${name} ${explainFileError(cause)}.`, cause);
  }
}

/** Which rules of a project are meant, when no file is named. */
export interface ProjectRules {
  readonly projectId: string;
  /** The one that they are for; `null` for whichever. */
  readonly database: string | null;
  /** Where the project is looked for: here or above. */
  readonly from: string;
}

/** Paths of the rules files of a Firebase project, at least one. Throws a `StartFailure`. */
export function findProjectRules({ projectId, database, from }: ProjectRules): readonly string[] {
  const project = findFirebaseProject(from);
  if (project === undefined)
    throw new StartFailure('Name a file of rules. No firebase.json exists here or in a parent directory.');
  const files = findRulesFiles(project, projectId).filter(
    ({ databases }) => database === null || databases.includes(database),
  );
  if (files.length === 0)
    throw new StartFailure(
      `Name a file of rules. ${project.configName} names none${database === null ? '' : ` for ${database}`}.`,
    );
  return files.map(({ path }) => path);
}

/** The named file, else the only one of the project. Throws a `StartFailure`. */
export function readRulesSource(path: string | undefined, project: ProjectRules): SourceText {
  if (path !== undefined) return readSource(path, project.from);
  const [only, ...others] = findProjectRules(project);
  if (only === undefined || others.length > 0)
    throw new StartFailure('Name a file of rules. firebase.json names several.');
  return readSource(only, project.from);
}

/** Every problem of rules as `file:line:column: message`; none if they are right. */
export function checkRulesSource(rules: SourceText): readonly string[] {
  const parsed = parseSource(rules);
  return parsed.kind === 'wrong' ? parsed.problems : [];
}

/** Throws a `CommandFailure` with every problem. */
export function parseRulesOrThrow(rules: SourceText): RuleSet {
  const parsed = parseSource(rules);
  if (parsed.kind === 'right') return parsed.rules;
  throw new CommandFailure(`the rules are not valid\n${parsed.problems.join('\n')}`);
}

/** Puts the name of a file before the lines that begin with a place in it. */
export function nameProblems(name: string, lines: string): readonly string[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => (/^\d+:\d+: /.test(line) ? `${name}:${line}` : `${name}: ${line}`));
}

type ParsedSource =
  | { readonly kind: 'right'; readonly rules: RuleSet }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

function parseSource({ name, source }: SourceText): ParsedSource {
  try {
    return { kind: 'right', rules: parseRules(source) };
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    return { kind: 'wrong', problems: nameProblems(name, cause.message) };
  }
}
