import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { Random } from '../../../../scripts/random.ts';

const SECTOR_BYTES = 512;
const ENTRY_BYTES = 32;

/** The entries of a journal, as shim.c writes them. */
const WRITE = 1;
const WRITTEN = 2;
const SYNCED = 3;
const SYNC_FAILED = 4;

/** A sector of the file as it was before the writes that may be lost. */
type Sector = { readonly old: Buffer };

/** The writes to a file that a power failure may undo. */
export type Unflushed = {
  /** Sectors that the disk may or may not have received, by their number. */
  readonly dirty: ReadonlyMap<number, Sector>;
  /** Sectors that the disk has not received: their flush failed, and the kernel does not repeat it. */
  readonly lost: ReadonlyMap<number, Sector>;
};

/** Reads which sectors of the file had not reached the disk at the end of a journal. */
export function readJournal(bytes: Buffer): Unflushed {
  let dirty = new Map<number, Sector>();
  const lost = new Map<number, Sector>();
  let at = 0;
  while (at + ENTRY_BYTES <= bytes.length) {
    const kind = Number(bytes.readBigInt64LE(at));
    const offset = Number(bytes.readBigInt64LE(at + 8));
    const length = Number(bytes.readBigInt64LE(at + 16));
    at += ENTRY_BYTES;
    if (kind === WRITE) {
      // The process was killed before the entry was complete, so before the write itself.
      if (at + length > bytes.length) break;
      for (const [sector, old] of sectorsOf(offset, bytes.subarray(at, at + length))) {
        const earlier = dirty.get(sector) ?? lost.get(sector);
        dirty.set(sector, earlier ?? { old });
        lost.delete(sector);
      }
      at += length;
    } else if (kind === WRITTEN) {
      for (const sector of numbersOf(offset, length)) dirty.delete(sector);
    } else if (kind === SYNCED) dirty = new Map();
    else if (kind === SYNC_FAILED) {
      for (const [sector, state] of dirty) lost.set(sector, state);
      dirty = new Map();
    } else throw new Error(`the journal contains an entry of an unknown kind: ${kind}`);
  }
  return { dirty, lost };
}

/**
 * Simulates a power failure: undoes a random subset of the sectors of a file that were not flushed. Returns the
 * number of these sectors. Empties the journal.
 */
export function losePower(file: string, journal: string, random: Random): number {
  if (!existsSync(journal)) return 0;
  const { dirty, lost } = readJournal(readFileSync(journal));
  const share = random.next();
  const undone = [...lost, ...[...dirty].filter(() => random.next() < share)];
  const descriptor = openSync(file, 'r+');
  try {
    for (const [sector, { old }] of undone) writeSync(descriptor, old, 0, old.length, sector * SECTOR_BYTES);
  } finally {
    closeSync(descriptor);
  }
  truncateSync(journal, 0);
  return undone.length;
}

/** Yields the number and the earlier content of each sector of a write. Parts of sectors count as whole ones. */
function* sectorsOf(offset: number, old: Buffer): Generator<readonly [number, Buffer]> {
  if (offset % SECTOR_BYTES !== 0) {
    // Only the description of a page of LMDB's own is written in part, and it does not cross the end of its sector.
    yield [offset / SECTOR_BYTES, old];
    return;
  }
  for (let at = 0; at < old.length; at += SECTOR_BYTES)
    yield [(offset + at) / SECTOR_BYTES, old.subarray(at, at + SECTOR_BYTES)];
}

function numbersOf(offset: number, length: number): readonly number[] {
  if (offset % SECTOR_BYTES !== 0) return [offset / SECTOR_BYTES];
  return Array.from(
    { length: Math.ceil(length / SECTOR_BYTES) },
    (_, index) => offset / SECTOR_BYTES + index,
  );
}
