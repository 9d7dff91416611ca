import { StartFailure } from '../ops/start-failure.ts';

export type UserFormat = 'json' | 'csv';

/** What the name of a file of accounts says of it. Throws a `StartFailure`. */
export function readUserFormat(file: string): UserFormat {
  const [, format] = /\.(json|csv)(?:\.gz)?$/i.exec(file) ?? [];
  if (format === undefined)
    throw new StartFailure(
      `The name of a file of accounts ends in .json or .csv, or either with .gz, not as ${file}.`,
    );
  return format.toLowerCase() === 'csv' ? 'csv' : 'json';
}

/** Where the hash parameters of a file of accounts are kept: `users.hash-parameters.json` beside `users.json`. */
export function hashParametersFile(file: string): string {
  return file.replace(/\.(?:json|csv)(?:\.gz)?$/i, '.hash-parameters.json');
}
