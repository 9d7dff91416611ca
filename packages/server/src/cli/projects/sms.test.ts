import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, ready } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await program.run(...args).ended;
  return { code, output: stdout + stderr };
}

test(
  '[I794][I799] the service, the countries and the uses of text messages are set and shown, without the secret',
  async () => {
    await ready(program.run('serve', '--port', '0', '--public-url', 'https://hearth.example.com'));
    expect((await run('project', 'create', 'shop')).code).toBe(0);
    expect((await run('project', 'sms', 'shop')).output).toContain('Service    none\nUsed for   nothing\n');
    const service = ['--service', 'twilio', '--account', 'AC1', '--from', '+15005550006'];
    process.env['HEARTH_SMS_SECRET'] = 's3cret';
    try {
      const { code, output } = await run(
        ...['project', 'sms', 'shop', ...service, '--country', 'DE', '--country', 'FR'],
        ...['--use', 'sign-in', '--use', 'second-factor', '--unproven'],
        ...['--spend', '20', '--price', 'default=0.1', '--price', 'DE=0.08', '--voip', 'reject'],
      );
      expect(code).toBe(0);
      expect(output).toBe(
        [
          'Service    twilio AC1',
          'Used for   sign-in, second factor',
          'Countries  DE, FR',
          'App proof  not required, within a tenth of the budgets',
          'A day      500 messages at most, for 20 at most',
          'VoIP       numbers of internet telephony get no messages',
          '',
        ].join('\n'),
      );
      const wrong = await run('project', 'sms', 'shop', '--price', 'DE=1');
      expect(wrong.output).toContain('--price needs --spend');
      const unlimited = await run('project', 'sms', 'shop', '--spend', '0', '--voip', 'allow');
      expect(unlimited.output).toContain('A day      500 messages at most\n');
      expect(unlimited.output).not.toContain('VoIP');
      const resumed = await run('project', 'sms', 'shop', '--resume', 'DE');
      expect(resumed.code).not.toBe(0);
      expect(resumed.output).toContain('Text messages to this country are not paused.');
    } finally {
      delete process.env['HEARTH_SMS_SECRET'];
    }
  },
  PROCESS_LIMIT_MS,
);
