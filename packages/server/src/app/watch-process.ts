import type { Admission } from '../platform/admission.ts';
import { systemClock } from '../platform/clock.ts';
import { EventLoopWatch } from '../platform/event-loop-watch.ts';
import type { Logger } from '../platform/logger.ts';
import { MemoryGuard, observeCollections } from '../platform/memory-guard.ts';
import { readHeapBytes, readMaxHeapBytes, readThreadCpuMs } from '../platform/process.ts';

/** The watch over the memory and the event loop of this process. */
export interface ProcessWatch extends Disposable {
  readonly eventLoop: EventLoopWatch;
  /** Begins to measure the event loop. Called once the server can be used, because its start may block the event loop. */
  start(): void;
}

/** Opens the watch over this process. `memoryBytes` is the memory that the process may use. */
export function watchProcess(admission: Admission, memoryBytes: number, logger: Logger): ProcessWatch {
  const { elapsedMs } = systemClock;
  const eventLoop = new EventLoopWatch({ elapsedMs, threadCpuMs: readThreadCpuMs, logger });
  const maxBytes = Math.min(memoryBytes, readMaxHeapBytes());
  const memory = new MemoryGuard({
    readHeap: () => ({ usedBytes: readHeapBytes(), maxBytes }),
    pools: [admission.listens, admission.messages],
    logger,
  });
  const collections = observeCollections(({ isFull, ms }) => {
    eventLoop.record('garbage collection', ms);
    if (isFull) memory.check();
  });
  return {
    eventLoop,
    start: () => eventLoop.start(),
    [Symbol.dispose]() {
      collections[Symbol.dispose]();
      eventLoop[Symbol.dispose]();
    },
  };
}
