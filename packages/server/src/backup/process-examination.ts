import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { RESTORE_ADVICE } from './examine-store.ts';
import { type Finding, problem } from './finding.ts';

/** What the process that examines a store tells. */
export type ExamineMessage =
  | { readonly kind: 'share'; readonly done: number }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] };

/**
 * Examines a store in a process of its own, because LMDB ends the process that comes by some kinds of damage. Rejects when it
 * is aborted.
 */
export function examineInProcess(
  path: string,
  signal: AbortSignal,
  onShare: (done: number) => void,
): Promise<readonly Finding[]> {
  return new Promise((resolve, reject) => {
    const program = new URL(`examine-process${extname(import.meta.filename)}`, import.meta.url);
    const child = fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let findings: readonly Finding[] | undefined;
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort);
    child.on('message', (message: ExamineMessage) => {
      if (message.kind === 'share') onShare(message.done);
      else findings = message.findings;
    });
    child.once('error', reject);
    child.once('exit', (code, exitSignal) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else resolve(findings ?? [problem('store', describeEnd(exitSignal ?? `exit code ${code}`))]);
    });
    child.send(path);
  });
}

function describeEnd(end: string): string {
  return `The data file is damaged: the process that read it was ended by it (${end}). ${RESTORE_ADVICE}`;
}
