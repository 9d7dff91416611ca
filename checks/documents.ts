import { posix } from 'node:path';
import type { TextFile } from './repository.ts';

function linesOf({ path, text }: TextFile): readonly { readonly line: string; readonly at: string }[] {
  return text.split('\n').map((line, index) => ({ line, at: `${path}:${index + 1}` }));
}

/** Returns the links of a Markdown file to files that do not exist. `exists` takes a path from the root. */
export function checkLinks(file: TextFile, exists: (path: string) => boolean): readonly string[] {
  return linesOf(file).flatMap(({ line, at }) =>
    [...line.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^([a-z]+:|#)/.test(target))
      .filter((target) => !exists(posix.join(posix.dirname(file.path), target.replace(/#.*$/, ''))))
      .map((target) => `${at}: links to ${target}, which does not exist`),
  );
}

/** Commands of npm itself, which are not scripts. */
const OWN_COMMANDS = new Set(['ci', 'install']);

/**
 * Returns the unknown scripts `x` in the commands `npm x` and `npm run x`, at the beginning of a line or a code
 * span.
 */
export function checkCommands(file: TextFile, scripts: readonly string[]): readonly string[] {
  return linesOf(file).flatMap(({ line, at }) =>
    [...line.matchAll(/(?:^|`)npm (?:run )?([a-z][\w:-]*)/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !OWN_COMMANDS.has(name) && !scripts.includes(name))
      .map((name) => `${at}: unknown npm script "${name}"`),
  );
}

/** Returns the commands of the first code block of a document. */
export function firstCommands({ text }: TextFile): readonly string[] {
  const block = /^```\w*\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Returns the mentions of folders that exist on one machine only. */
export function checkMachinePaths(file: TextFile): readonly string[] {
  return linesOf(file).flatMap(({ line, at }) => {
    const path = /(?:^|[\s'"`(=:])(\/(?:work|tmp|home|root|Users)\/[\w.-]+)/.exec(line)?.[1];
    return path === undefined ? [] : [`${at}: names ${path}, a path of one machine`];
  });
}

/** Returns the rule numbers in brackets that no document defines, as `file:line: [X1] is not defined`. */
export function checkRuleNumbers(file: TextFile, defined: ReadonlySet<string>): readonly string[] {
  return linesOf(file).flatMap(({ line, at }) =>
    Array.from(line.matchAll(/\[([A-Z]\d+)\]/g), ([, number = '']) => number)
      .filter((number) => !defined.has(number))
      .map((number) => `${at}: [${number}] is not defined`),
  );
}
