import { readFileSync } from 'node:fs';

/** Resident memory of this process in MiB: all of it, the part that is its own, the part that is mapped files. */
export interface ResidentMemory {
  readonly totalMib: number;
  readonly anonymousMib: number;
  readonly mappedMib: number;
}

/** Reads the kernel's own figures; Linux only. */
export function readResidentMemory(): ResidentMemory {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name: string): number => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status);
    return Math.round(Number(found?.[1] ?? 0) / 1024);
  };
  return { totalMib: field('VmRSS'), anonymousMib: field('RssAnon'), mappedMib: field('RssFile') };
}
