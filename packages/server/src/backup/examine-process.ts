import { setImmediate } from 'node:timers/promises';
import { examineStore } from './examine-store.ts';
import type { ExamineMessage } from './process-examination.ts';

// The program of a process that examines one store: is told a path, and tells shares and, in the end, findings.
process.once('message', (path: string) => void examine(path));

async function examine(path: string): Promise<void> {
  const steps = examineStore(path);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      tell({ kind: 'findings', findings: step.value });
      process.disconnect();
      return;
    }
    tell({ kind: 'share', done: step.value });
    await setImmediate();
  }
}

function tell(message: ExamineMessage): void {
  process.send?.(message);
}
