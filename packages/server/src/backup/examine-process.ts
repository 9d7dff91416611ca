import { setImmediate } from 'node:timers/promises';
import type { ExamineMessage } from './doctor.ts';
import { examineStore } from './examine-store.ts';

// The program of a process that examines one store: receives a path, and sends completed shares and finally the
// findings.
process.once('message', (path: string) => void examine(path));

async function examine(path: string): Promise<void> {
  const steps = examineStore(path);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      notify({ kind: 'findings', findings: step.value });
      process.disconnect();
      return;
    }
    notify({ kind: 'share', done: step.value });
    await setImmediate();
  }
}

function notify(message: ExamineMessage): void {
  process.send?.(message);
}
