import process from 'node:process';
import { LmdbReader } from '../../storage/kv/lmdb-reader.ts';

// The program of a process that copies the store of a directory into another directory, while a node writes to it.
// Receives both paths, and ends with exit code 0 when the copy is complete.
process.once('message', ({ from, to }: CopyRequest) => void copy(from, to));
// The copying thread cannot be stopped otherwise, and the node has ended or started again.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

async function copy(from: string, to: string): Promise<void> {
  using reader = new LmdbReader(from);
  await reader.copyTo(to);
  process.exit(0);
}
