import { closeSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../../scripts/random.ts';
import type { FaultBed } from '../bed.ts';
import { DISK_FULL, type Fault, NO_PROBLEMS } from '../fault.ts';
import { limitProcess, type SmallDisk } from '../machine.ts';

const MAX_LEFT_BYTES = 512 * 1024;
const CHUNK_BYTES = 1 << 20;

/** The disk fills up except for a small space, which the clients use up; later, space becomes free. */
export const DISK_IS_FULL: Fault = {
  name: 'disk full',
  needs: ['small disk'],
  lastsMs: 400,
  expected: {
    process: 'goes on',
    rejections: DISK_FULL,
    logged: /the disk is full; writes are rejected[\s\S]*writes are accepted again/,
  },
  begin: (bed, random) => {
    const leftBytes = random.below(MAX_LEFT_BYTES);
    if (bed.smallDisk === undefined) limitFiles(bed, random);
    else fill(bed.smallDisk, leftBytes);
    return Promise.resolve(NO_PROBLEMS);
  },
  end: (bed) => {
    if (bed.smallDisk === undefined) limitProcess(bed.server.pid, '--fsize=unlimited');
    else rmSync(ballastOf(bed.smallDisk));
    return Promise.resolve(NO_PROBLEMS);
  },
  hasEffect: (_bed, seen) => seen.rejectedInFault > 0,
};

function ballastOf(disk: SmallDisk): string {
  return join(disk.path, 'ballast');
}

function fill(disk: SmallDisk, leftBytes: number): void {
  const file = openSync(ballastOf(disk), 'w');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (let size = 0; ; ) {
      const bytes = Math.min(CHUNK_BYTES, disk.freeBytes - leftBytes);
      if (bytes <= 0) return;
      size += writeSync(file, chunk, 0, bytes, size);
      ftruncateSync(file, size);
    }
  } finally {
    closeSync(file);
  }
}

/** Without a file system of its own, a limit on the size of files has the same effect. */
function limitFiles(bed: FaultBed, random: Random): void {
  const { size } = statSync(join(bed.dataDirectory, 'data.mdb'));
  // The hard limit stays, so that the limit can be raised again.
  limitProcess(bed.server.pid, `--fsize=${size + random.below(MAX_LEFT_BYTES)}:`);
}
