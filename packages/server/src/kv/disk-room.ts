import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PROBE_BYTES = 1 << 20;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Is there room to make a file in `directory` longer than `lengthBytes`? Finds out by doing so to a file beside it, as a
 * write that was cut short by a full disk, a quota or a size limit reports nothing better than an input/output error.
 */
export function hasRoomBeyond(directory: string, lengthBytes: number): boolean {
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
    if (hasCode(error, NO_ROOM)) return false;
    throw error;
  }
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.has(error.code);
}
