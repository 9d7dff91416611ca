import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../platform/failures.ts';

/**
 * In the data directory while a server with accounts serves from it, for its owner alone: how programs on the same machine
 * reach that server as its administrator. JSON: `url`, `token`, and `certificate` in PEM if it speaks TLS.
 * History: the first form has no number.
 */
const FILE = 'local-access.json';
const OWNER_ONLY = 0o600;

export interface LocalAccess {
  readonly url: string;
  readonly token: string;
  /** To trust instead of those of the system, whatever name it is for. */
  readonly certificate: string | null;
}

/** Written beside its place and moved there, so that nobody reads half of it. */
export function writeLocalAccess(directory: string, access: LocalAccess): void {
  const unfinished = join(directory, `${FILE}.new`);
  const file = openSync(unfinished, 'w', OWNER_ONLY);
  try {
    // A file that an earlier attempt left keeps its mode when it is opened again.
    fchmodSync(file, OWNER_ONLY);
    writeSync(file, `${JSON.stringify(access)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, join(directory, FILE));
}

export function removeLocalAccess(directory: string): void {
  rmSync(join(directory, FILE), { force: true });
}

/** `undefined` when no such server serves from the directory. Throws a `StartFailure` when it cannot be read. */
export function findLocalAccess(directory: string): LocalAccess | undefined {
  try {
    return parse(JSON.parse(readFileSync(join(directory, FILE), 'utf8')));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new StartFailure(
      `${join(directory, FILE)} cannot be read. Run this command as the user that runs the server.`,
      cause,
    );
  }
}

function parse(json: unknown): LocalAccess {
  if (typeof json === 'object' && json !== null && 'url' in json && 'token' in json) {
    const { url, token } = json;
    const certificate = 'certificate' in json ? json.certificate : null;
    if (typeof url === 'string' && typeof token === 'string')
      return { url, token, certificate: typeof certificate === 'string' ? certificate : null };
  }
  throw new Error('It has another form.');
}
