import { expect, onTestFinished } from 'vitest';
import { ProgramRunner, ready } from '../program.fixture.ts';

/** Starts `hearth serve` with the project `shop`. The directory and the server are removed when the test finishes. */
export async function openShop() {
  const program = new ProgramRunner();
  onTestFinished(() => program[Symbol.dispose]());
  await ready(program.run('serve', '--port', '0', '--public-url', 'https://hearth.example.com'));
  /** Runs `hearth project` with arguments. */
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await program.run('project', ...args).ended;
    return { code, output: stdout + stderr };
  };
  expect((await run('create', 'shop')).code).toBe(0);
  return { directory: program.directory, run };
}
