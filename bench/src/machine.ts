import { availableParallelism, release, totalmem, type } from 'node:os';

/** One line saying what the figures were measured on; deliberately without the machine's name. */
export function describeMachine(): string {
  const memoryGb = (totalmem() / 2 ** 30).toFixed(1);
  return `${availableParallelism()} cores, ${memoryGb} GiB memory, ${process.arch}, ${type()} ${release()}, Node ${process.version}`;
}
