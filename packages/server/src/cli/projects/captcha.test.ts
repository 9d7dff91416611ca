import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, ready } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

test(
  '[I887] the requests that need a solved challenge, and its cost, are set and shown',
  async () => {
    await ready(program.run('serve', '--port', '0', '--public-url', 'https://hearth.example.com'));
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await program.run('project', ...args).ended;
      return { code, output: stdout + stderr };
    };
    expect((await run('create', 'shop')).code).toBe(0);
    expect(await run('captcha', 'shop', '--passwords', 'audit', '--cost', '8000')).toEqual({
      code: 0,
      output: [
        'Passwords      not required, and requests without one are recorded in the audit log',
        'Text messages  required',
        'Cost           8000 rounds',
        '',
      ].join('\n'),
    });
    const wrong = await run('captcha', 'shop', '--sms', 'on');
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('--sms must be off, audit or enforce, not "on".');
  },
  PROCESS_LIMIT_MS,
);
