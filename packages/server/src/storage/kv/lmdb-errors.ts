import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorName } from 'node:util';
import { StoreFailing, StoreFull } from './store.ts';

const PROBE_BYTES = 1 << 20;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Errors of a disk, or of the network to it, that are not errors of this program. */
const DISK_ERRORS = new Set(['EIO', 'EROFS', 'ENXIO', 'ENODEV', 'ESTALE', 'ETIMEDOUT', 'EREMOTEIO']);

/**
 * Returns whether a file in `directory` can grow beyond `lengthBytes`. Writes a probe file to find out, because
 * a write that a full disk, a quota or a size limit cuts short only reports an input/output error. Returns true if the
 * probe fails for another reason.
 */
function hasRoomBeyond(directory: string, lengthBytes: number): boolean {
  const path = join(directory, 'room.probe');
  try {
    const file = openSync(path, 'w');
    try {
      const probe = Buffer.alloc(PROBE_BYTES);
      const isWhole = writeSync(file, probe, 0, PROBE_BYTES, lengthBytes) === PROBE_BYTES;
      return isWhole;
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  } catch (error) {
    return !hasCode(error, NO_ROOM);
  }
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.has(error.code);
}

/**
 * Classifies an error of the store of a directory as `StoreFull` or `StoreFailing`. Returns other errors, which are
 * bugs, unchanged.
 */
export function explainStoreError(error: unknown, directory: string): unknown {
  if (isFull(error, directory)) return new StoreFull(error);
  const name = findErrno(error);
  return name !== undefined && DISK_ERRORS.has(name) ? new StoreFailing(error) : error;
}

function isFull(error: unknown, directory: string): boolean {
  if (error instanceof Error && error.message.includes('MDB_MAP_FULL')) return true;
  switch (findErrno(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return true;
    case 'EIO': {
      const file = statSync(join(directory, 'data.mdb'), { throwIfNoEntry: false });
      return file !== undefined && !hasRoomBeyond(directory, file.size);
    }
    default:
      return false;
  }
}

/** Returns whether an error comes from LMDB or the operating system. Their errors have a number as `code`. */
export function isStoreError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/**
 * Returns the system's name of an error, such as `ENOSPC`. Returns `undefined` for LMDB's own errors, which
 * have negative codes.
 */
function findErrno(error: unknown): string | undefined {
  return isStoreError(error) && error.code > 0 ? getSystemErrorName(-error.code) : undefined;
}
