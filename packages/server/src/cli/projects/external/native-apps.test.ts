import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../../program.fixture.ts';
import { openShop } from '../shop.fixture.ts';

test(
  '[I1692] the native apps of a project are set, removed and shown',
  async () => {
    const { run } = await openShop();
    const apps = (...args: readonly string[]) => run('native-apps', 'shop', ...args);
    expect((await apps()).output).toContain('Android apps  none\n');
    const hash = Buffer.alloc(32, 255).toString('base64url');
    const { code, output } = await apps(
      ...['--android-app', 'com.example.app', '--android-key', `${'FF:'.repeat(31)}FF`],
      ...['--apple-app', 'ABCDE12345.com.example.app', '--apple-app', 'ABCDE12345.com.example.two'],
    );
    expect(code).toBe(0);
    expect(output).toContain(
      [
        'Android apps  com.example.app',
        `Android keys  ${hash}`,
        'Apple apps    ABCDE12345.com.example.app, ABCDE12345.com.example.two',
        '',
      ].join('\n'),
    );
    const wrong = await apps('--apple-app', 'com.example.app');
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('ABCDE12345.com.example.app');
    expect((await apps('--none')).output).toContain(
      'Android apps  none\nAndroid keys  none\nApple apps    none\n',
    );
    expect((await apps('--none', '--apple-app', 'x')).code).toBe(2);
  },
  PROCESS_LIMIT_MS,
);
