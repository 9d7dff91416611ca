import { parentPort } from 'node:worker_threads';
import { withOwnBytes } from './own-bytes.ts';
import { runThreadTask, type ThreadTask } from './run-thread-task.ts';

// The program of a thread: is told tasks one at a time, and answers each with its bytes. A task that throws ends the thread.
parentPort?.on('message', async (task: ThreadTask) =>
  parentPort?.postMessage(withOwnBytes(await runThreadTask(task))),
);
