import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, 'main.ts');

/** Timeout of a test that starts processes, in ms. On a busy machine, each process takes seconds to start. */
export const PROCESS_LIMIT_MS = 180_000;

/** Matches a progress line, such as `Verifying the backup  45%  9.0 MB of 20 MB`. */
const PROGRESS_LINE = /^[A-Z][a-z]+(?: [a-z]+)* {2}.*\n/gm;

export interface Run {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /**
   * Resolves when the process has exited. `stderr` excludes progress lines, which appear only on slow runs.
   */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Runs the program in separate processes, in a temporary directory that is deleted on dispose. */
export class ProgramRunner implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'hearth-cli-'));
  readonly #children: ChildProcess[] = [];

  path(name: string): string {
    return join(this.directory, name);
  }

  run(...args: readonly string[]): Run {
    return this.runIn(this.directory, ...args);
  }

  runIn(directory: string, ...args: readonly string[]): Run {
    const child = spawn(process.execPath, ['--conditions=source', MAIN, ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    const ended = once(child, 'close').then(() => ({
      code: child.exitCode,
      stdout: output.stdout,
      stderr: output.stderr.replace(PROGRESS_LINE, ''),
    }));
    return { child, output, ended };
  }

  /** Starts a development server on a free port. Returns it with its URL. */
  async serve(...args: readonly string[]): Promise<{ readonly server: Run; readonly url: string }> {
    const server = this.run('dev', '--port', '0', ...args);
    return { server, url: await ready(server) };
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Returns the URL of the `ready` line. */
export async function ready(run: Run): Promise<string> {
  await printed(run, 'stdout', /^ready (\S+)\n/);
  return /^ready (\S+)\n/.exec(run.output.stdout)?.[1] ?? '';
}

/** Resolves when the output of the program matches `text`. Rejects if the program exits first. */
export async function printed(
  { child, output }: Run,
  stream: 'stdout' | 'stderr',
  text: RegExp,
): Promise<void> {
  while (!text.test(output[stream])) {
    const source = child[stream];
    if (child.exitCode !== null || source === null)
      throw new Error(`The program exited early: ${output.stderr}`);
    await Promise.race([once(source, 'data'), once(child, 'exit')]);
  }
}

/** Sends SIGTERM to a program. Resolves with its exit code and output. */
export function stop({ child, ended }: Run): Run['ended'] {
  child.kill('SIGTERM');
  return ended;
}
