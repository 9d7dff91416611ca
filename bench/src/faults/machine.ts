import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '../measure/directory.ts';

const SHIM_SOURCE = fileURLToPath(new URL('./shim/shim.c', import.meta.url));

/** A capability that a machine needs for a fault. */
export type Need = 'shim' | 'small disk' | 'prlimit';

/** The capabilities of this machine. `obstacles` gives the reason for each one that it lacks. */
export type Machine = {
  readonly shim: string | undefined;
  readonly canMount: boolean;
  readonly obstacles: ReadonlyMap<Need, string>;
};

/** Returns the capabilities of this machine, and compiles the shim into a directory. */
export function examineMachine(directory: string): Machine {
  const obstacles = new Map<Need, string>();
  const shim = join(directory, 'shim.so');
  const compiled = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', shim, SHIM_SOURCE, '-ldl', '-lpthread']);
  if (process.platform !== 'linux' || compiled.status !== 0)
    obstacles.set('shim', 'it needs Linux with glibc and a C compiler named cc');
  const canMount = tryMount(directory);
  const canLimit = spawnSync('prlimit', ['--version']).status === 0;
  if (!canLimit) obstacles.set('prlimit', 'it needs prlimit of util-linux');
  if (!canMount && !canLimit)
    obstacles.set('small disk', 'it needs the right to mount a file system, or prlimit of util-linux');
  return { shim: obstacles.has('shim') ? undefined : shim, canMount, obstacles };
}

/** Returns why a fault cannot be made on this machine; `undefined` if it can. */
export function findObstacle(machine: Machine, needs: readonly Need[]): string | undefined {
  return needs.map((need) => machine.obstacles.get(need)).find((obstacle) => obstacle !== undefined);
}

function tryMount(directory: string): boolean {
  const path = join(directory, 'mount-test');
  mkdirSync(path);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status !== 0) return false;
  return spawnSync('umount', [path]).status === 0;
}

/** A file system in memory of a given size. Disposal unmounts it. */
export class SmallDisk implements Disposable {
  readonly #directory = new TemporaryDirectory();

  constructor(sizeMib: number) {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', this.path]);
    if (mounted.status !== 0) throw new Error(`no file system could be mounted: ${String(mounted.stderr)}`);
  }

  get path(): string {
    return this.#directory.path;
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  [Symbol.dispose](): void {
    // The server may need a moment to give its files back.
    spawnSync('umount', ['--lazy', this.path]);
    this.#directory[Symbol.dispose]();
  }
}

/** Changes a limit of a running process, such as `--nofile=64:`. */
export function limitProcess(pid: number, limit: string): void {
  const changed = spawnSync('prlimit', ['--pid', String(pid), limit]);
  if (changed.status !== 0) throw new Error(`the limit could not be changed: ${String(changed.stderr)}`);
}
