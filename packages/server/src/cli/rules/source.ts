import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { withoutByteOrderMark } from '@hearth/core/tree/json-text.ts';
import { findFirebaseProject, nameFrom } from '../../emulator/firebase-json.ts';
import { findRulesFiles } from '../../emulator/rules-files.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

/** Returns why a file cannot be read or created, as the end of a sentence that begins with the file name. */
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

/** A text and the displayed name of its file. */
export interface SourceText {
  readonly name: string;
  readonly source: string;
}

/**
 * Reads a file without its byte order mark. `path` is relative to the directory `from`, and so is the
 * displayed name. Throws a `StartFailure` if the file cannot be read.
 */
export function readSource(path: string, from: string): SourceText {
  const absolute = resolve(from, path);
  const name = nameFrom(from, absolute);
  try {
    return { name, source: withoutByteOrderMark(readFileSync(absolute, 'utf8')) };
  } catch (cause) {
    throw new StartFailure(`${name} ${explainFileError(cause)}.`, cause);
  }
}

/** Selects the rules files of a project if the user names no file. */
export interface ProjectRules {
  readonly projectId: string;
  /** The database that the rules apply to; `null` for any database. */
  readonly database: string | null;
  /**
   * The directory where the search for the project starts. The search continues in the parent directories.
   */
  readonly from: string;
}

/**
 * Returns the paths of the rules files of a Firebase project, at least one. Throws a `StartFailure` if there
 * is no project or no matching file.
 */
export function findProjectRules({ projectId, database, from }: ProjectRules): readonly string[] {
  const project = findFirebaseProject(from);
  if (project === undefined)
    throw new StartFailure('Specify a rules file. No firebase.json exists here or in a parent directory.');
  const files = findRulesFiles(project, projectId).filter(
    ({ databases }) => database === null || databases.includes(database),
  );
  if (files.length === 0)
    throw new StartFailure(
      `Specify a rules file. ${project.configName} names none${database === null ? '' : ` for ${database}`}.`,
    );
  return files.map(({ path }) => path);
}

/**
 * Reads the named file, or the only rules file of the project. Throws a `StartFailure` if the file cannot be
 * read, or if the project does not name exactly one.
 */
export function readRulesSource(path: string | undefined, project: ProjectRules): SourceText {
  if (path !== undefined) return readSource(path, project.from);
  const [only, ...others] = findProjectRules(project);
  if (only === undefined || others.length > 0)
    throw new StartFailure('Specify a rules file. firebase.json names several.');
  return readSource(only, project.from);
}

/**
 * Returns every problem of rules as `file:line:column: message`. The list is empty if the rules are valid.
 */
export function checkRulesSource(rules: SourceText): readonly string[] {
  const parsed = parseSource(rules);
  return parsed.kind === 'wrong' ? parsed.problems : [];
}

/** Parses rules. Throws a `CommandFailure` that lists every problem. */
export function parseRulesOrThrow(rules: SourceText): RuleSet {
  const parsed = parseSource(rules);
  if (parsed.kind === 'right') return parsed.rules;
  throw new CommandFailure(`the rules are not valid\n${parsed.problems.join('\n')}`);
}

/**
 * Prefixes each line with the name of a file. If a line begins with a position, the result is
 * `file:line:column: message`, otherwise `file: message`.
 */
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
