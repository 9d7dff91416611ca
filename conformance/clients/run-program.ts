import { spawn } from 'node:child_process';

/** How a program ended and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Text for standard input, which ends after the text. A function may wait for output of the program before it returns
   * the text; `shown` returns the output so far.
   */
  readonly input?: string | ((shown: () => string) => Promise<string>);
}

/** Runs a program to its end, whatever its exit code. Rejects if the program cannot be started or `input` rejects. */
export function runProgram({ command, args, cwd, env, input = '' }: Program): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    // The program may end before it has read all its input.
    child.stdin.on('error', () => {});
    if (typeof input === 'string') child.stdin.end(input);
    else
      input(() => stdout + stderr).then(
        (text) => child.stdin.end(text),
        (error) => {
          child.kill();
          reject(error);
        },
      );
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
