import { parentPort } from 'node:worker_threads';
import { copyBuffers, runThreadTask, type ThreadTask } from './thread-task.ts';

// The program of a thread: receives one task at a time, and responds with its bytes. A task that throws ends
// the thread.
parentPort?.on('message', async (task: ThreadTask) =>
  parentPort?.postMessage(copyBuffers(await runThreadTask(task))),
);
