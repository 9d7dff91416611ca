import { setFlagsFromString } from 'node:v8';

/**
 * Keeps memory flat: a stream of a gigabyte leaves garbage that the collector would let grow to several times what is in
 * use. Collecting at 1.6 times costs some milliseconds a second while such a stream runs.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60');
}

/**
 * Lets every object begin as a young one. The engine would allocate as old what comes of literals whose objects once
 * lived long, as those of requests do while a burst of them waits or is recorded; from then on each request would keep what
 * it refers to until the whole heap is collected, which costs more than answering it.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
