import { readFileSync } from 'node:fs';

/** The kernel reports processor time in units of a hundredth of a second on every Linux that Node supports. */
const TICK_US = 10_000;

/**
 * Processor time (user and system, all threads, ended ones included) a process has used, in microseconds.
 * Resolution is 10 ms, so measure over a second of processor time or more.
 */
export function readCpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in brackets and may contain spaces: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Memory of a process in bytes. `resident` counts pages of mapped files, `anonymous` does not. */
export type MemoryUse = { readonly residentBytes: number; readonly anonymousBytes: number };

/** Reads what the kernel says a process holds in memory right now. */
export function readMemory(pid: number): MemoryUse {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return { residentBytes: statusBytes(status, 'VmRSS'), anonymousBytes: statusBytes(status, 'RssAnon') };
}

function statusBytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status);
  if (found === null) throw new Error(`the kernel reports no ${field}`);
  return Number(found[1]) * 1024;
}
