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
 * Name of a file in the data directory that gives programs on the same machine administrator access to the
 * server. It exists while a server uses the directory, and only its owner can read it. It contains JSON: `url`,
 * `publicUrl`, `token`, and `certificate` in PEM if the server uses TLS, otherwise `null`. The current format is
 * the first one and has no version number.
 */
const FILE = 'local-access.json';
const OWNER_ONLY = 0o600;

export interface LocalAccess {
  /** Address at which this machine reaches the server. */
  readonly url: string;
  /** Address that clients use. */
  readonly publicUrl: string;
  readonly token: string;
  /** Certificate in PEM that the client trusts instead of the system's certificates, for any host name. */
  readonly certificate: string | null;
}

/**
 * Writes the file under a temporary name and then renames it, so that readers never see an incomplete file.
 */
export function writeLocalAccess(directory: string, access: LocalAccess): void {
  const temporaryPath = join(directory, `${FILE}.new`);
  const file = openSync(temporaryPath, 'w', OWNER_ONLY);
  try {
    // If the file remains from an earlier attempt, opening it does not change its mode.
    fchmodSync(file, OWNER_ONLY);
    writeSync(file, `${JSON.stringify(access)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporaryPath, localAccessPath(directory));
}

export function removeLocalAccess(directory: string): void {
  rmSync(localAccessPath(directory), { force: true });
}

/** Returns the path of the file in a data directory. */
export function localAccessPath(directory: string): string {
  return join(directory, FILE);
}

/**
 * Returns how to reach the server of a data directory, or `undefined` if no such server uses the directory.
 * Throws a `StartFailure` when the file cannot be read.
 */
export function findLocalAccess(directory: string): LocalAccess | undefined {
  try {
    return parse(JSON.parse(readFileSync(localAccessPath(directory), 'utf8')));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new StartFailure(
      `${localAccessPath(directory)} cannot be read. Run this command as the user that runs the server.`,
      cause,
    );
  }
}

function parse(json: unknown): LocalAccess {
  if (typeof json === 'object' && json !== null && 'url' in json && 'token' in json) {
    const { url, token } = json;
    const certificate = 'certificate' in json ? json.certificate : null;
    const publicUrl = 'publicUrl' in json ? json.publicUrl : null;
    if (typeof url === 'string' && typeof token === 'string')
      return {
        url,
        token,
        publicUrl: typeof publicUrl === 'string' ? publicUrl : url,
        certificate: typeof certificate === 'string' ? certificate : null,
      };
  }
  throw new Error('The file has an unexpected format.');
}
