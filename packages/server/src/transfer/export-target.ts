import { once } from 'node:events';
import {
  createWriteStream,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { StartFailure } from '../ops/start-failure.ts';
import { syncPath } from '../ops/sync-path.ts';

/** Where an export goes to. */
export interface ExportTarget {
  readonly stream: Writable;
  /** Gives the file its name, once all of it is written. */
  finish(): void;
  /** Leaves nothing of it behind. */
  discard(): void;
}

/**
 * The file that a name stands for, at the end of its links, whether it is there or not. Throws a `StartFailure` for a
 * directory, and where there can be no file.
 */
export function findExportPath(name: string): string {
  let path = resolve(name);
  try {
    // Tells of links that go round in a circle.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new StartFailure(`${path} is a directory: name a file in it.`);
    while (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      path = resolve(realpathSync(dirname(path)), readlinkSync(path));
    return path;
  } catch (cause) {
    throw cause instanceof StartFailure ? cause : cannotWrite(path, cause);
  }
}

/**
 * Opens a pipe or a device as it is, and in place of a file one beside it, under a name that nothing else has. Rejects with a
 * `StartFailure`.
 */
export async function openExportTarget(path: string): Promise<ExportTarget> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    return { stream: await openAsItIs(path), finish: () => {}, discard: () => {} };
  const { part, file } = createPart(path);
  return {
    stream: createWriteStream(part, { fd: file, flush: true }),
    finish() {
      renameSync(part, path);
      syncPath(dirname(path));
    },
    discard: () => rmSync(part, { force: true }),
  };
}

/** A pipe opens when somebody reads from it. */
async function openAsItIs(path: string): Promise<Writable> {
  const stream = createWriteStream(path);
  try {
    await once(stream, 'open');
    return stream;
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

/** At once: an answer that nobody reads meanwhile could break off unread. */
function createPart(path: string): { readonly part: string; readonly file: number } {
  for (let number = 1; ; number += 1) {
    const part = join(dirname(path), `${basename(path)}.${number}.part`);
    try {
      return { part, file: openSync(part, 'wx', 0o600) };
    } catch (cause) {
      // Somebody else's file, or one that an export has left which was killed.
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') continue;
      throw cannotWrite(part, cause);
    }
  }
}

function cannotWrite(path: string, cause: unknown): StartFailure {
  return new StartFailure(
    `The file ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
    cause,
  );
}
