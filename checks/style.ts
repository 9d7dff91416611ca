import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

const VAGUE_NAMES = /^(utils?|helpers?|common|misc|types|shared|lib)$/;

/** Returns the names in a path that name no concept, and the parts of the file's name that are not kebab-case. */
export function checkFileName(path: string): readonly string[] {
  const words = posix.basename(path).split('.').slice(0, -1);
  const folders = posix.dirname(path).split('/');
  return [
    ...words
      .filter((word) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(word))
      .map((word) => `${path}: "${word}" is not kebab-case`),
    ...[...words, ...folders]
      .filter((word) => VAGUE_NAMES.test(word))
      .map((word) => `${path}: "${word}" names no concept`),
  ];
}

/** Returns the notes of unfinished work that have no issue number. */
export function checkUnfinishedMarks({ path, comments }: SourceFile): readonly string[] {
  return comments
    .filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text) && !/\bTODO #\d+: \S/.test(text))
    .map(({ line }) => `${path}:${line}: unfinished work is noted as "TODO #<issue>: <what>"`);
}

/** Files that have a default export because the tool that loads them expects one. */
const LOADED_BY_TOOLS: readonly RegExp[] = [
  /(^|\/)vite(?:st)?\.config\.ts$/,
  /^conformance\/drivers\/test-bed\.ts$/,
  /^scripts\/count-reporter\.mjs$/,
];

export function checkDefaultExport({ path, defaultExportLine }: SourceFile): readonly string[] {
  if (defaultExportLine === undefined || LOADED_BY_TOOLS.some((pattern) => pattern.test(path))) return [];
  return [`${path}:${defaultExportLine}: exports a default`];
}
