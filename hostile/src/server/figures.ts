import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the memory of a process that is not backed by files, in bytes. */
export function readMemoryBytes(pid: number): number {
  const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (found === null) throw new Error('The kernel reports no RssAnon.');
  return Number(found[1]) * 1024;
}

/**
 * Returns the time for which the main thread of a process was ready to run but other programs had the processor, in ms
 * since its start.
 */
export function readWaitedMs(pid: number): number {
  const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return Number(waitedNs) / 1e6;
}

/** Returns the size of all files below a folder, in bytes of the disk. */
export function readDiskBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += readDiskBytes(path);
    else bytes += (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
  }
  return bytes;
}
