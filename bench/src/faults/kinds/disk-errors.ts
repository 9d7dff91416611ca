import { join } from 'node:path';
import { pause } from '../../measure/time.ts';
import { type Fault, NO_PROBLEMS } from '../fault.ts';
import { losePower } from '../shim/journal.ts';

/** The answers of a server whose disk reports errors. */
const DISK_FAILS: readonly RegExp[] = [
  /^unavailable: .*disk that holds the data/,
  /^503: .*disk that holds the data/,
  // The Auth API answers so, because clients would sign out at an error of their request.
  /^503: The service is temporarily unavailable/,
  // A write that is cut short looks like a full disk.
  /^507: .*disk that holds the data is full/,
];

// A write that is cut short looks like a full disk.
const LOGGED = /the disk (reports errors|is full);[\s\S]*writes are accepted again/;

/** Every write to the disk fails, or is cut short. */
export const WRITE_ERRORS: Fault = {
  name: 'EIO on write',
  needs: ['shim'],
  lastsMs: 300,
  expected: { process: 'goes on', rejections: DISK_FAILS, logged: LOGGED },
  begin: (bed, random) => {
    bed.shim.set('failWrites', 1 + random.below(2));
    return Promise.resolve(NO_PROBLEMS);
  },
  end: (bed) => {
    bed.shim.set('failWrites', 0);
    return Promise.resolve(NO_PROBLEMS);
  },
  hasEffect: (bed, seen) => bed.shim.read('failedWrites') > 0 && seen.rejectedInFault > 0,
};

/** Every flush fails after the kernel has taken the data. Half of the repeats end with a power failure. */
export const FLUSH_ERRORS: Fault = {
  name: 'EIO on flush',
  needs: ['shim'],
  lastsMs: 300,
  expected: { process: 'goes on', rejections: DISK_FAILS, logged: LOGGED },
  begin: (bed) => {
    bed.shim.set('failSyncs', 1);
    return Promise.resolve(NO_PROBLEMS);
  },
  end: (bed) => {
    bed.shim.set('failSyncs', 0);
    return Promise.resolve(NO_PROBLEMS);
  },
  hasEffect: (bed, seen) => bed.shim.read('failedSyncs') > 0 && seen.rejectedInFault > 0,
};

/** A page of the data file cannot be read. The kernel ends a process that reads such a page of a mapped file. */
export const READ_ERRORS: Fault = {
  name: 'EIO on read',
  needs: ['shim'],
  lastsMs: 0,
  expected: { process: 'ends' },
  begin: async (bed) => {
    bed.shim.set('failReads', 1);
    await bed.server.awaitEnd();
    return NO_PROBLEMS;
  },
  end: async (bed) => {
    bed.shim.set('failReads', 0);
    await bed.start();
    return NO_PROBLEMS;
  },
  hasEffect: (bed) => bed.shim.read('failedReads') > 0,
};

/**
 * A power failure. Each sector that was not flushed may be lost, independently of the others. In half of the repeats,
 * flushes failed shortly before, and the kernel has discarded the sectors that it could not write.
 */
export const POWER_LOSS: Fault = {
  name: 'power loss',
  needs: ['shim'],
  lastsMs: 0,
  expected: { process: 'ends', rejections: DISK_FAILS },
  begin: async (bed, random) => {
    bed.shim.set('keepJournal', 1);
    await pause(100 + random.below(200));
    if (random.below(2) === 0) {
      bed.shim.set('failSyncs', 1);
      await pause(50);
      bed.shim.set('failSyncs', 0);
      await pause(random.below(100));
    }
    await bed.server.kill();
    return NO_PROBLEMS;
  },
  end: async (bed, random) => {
    losePower(join(bed.dataDirectory, 'data.mdb'), bed.shim.journalPath, random);
    bed.shim.set('keepJournal', 0);
    await bed.start();
    return NO_PROBLEMS;
  },
};

/** A disk that reports a flush before it has stored the data: after a power failure, acknowledged writes are missing. */
export const LYING_DISK: Fault = {
  ...POWER_LOSS,
  name: 'power loss with a disk that ignores flushes',
  begin: (bed, random) => {
    bed.shim.set('ignoreSyncs', 1);
    return POWER_LOSS.begin(bed, random);
  },
};
