import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '..');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const MANIFEST = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));

/**
 * The examples for web apps. The test of the firebase-admin example is in `conformance/clients`, where that
 * package is installed.
 */
const examples = [...README.matchAll(/^```js\n([\s\S]*?)^```/gm)]
  .map(([, code = '']) => code)
  .filter((code) => !code.includes('firebase-admin'));

test('[I207] the README has examples', () => {
  expect(examples).toHaveLength(2);
});

test.each(examples.map((code, index) => [index + 1, code] as const))(
  '[I207] example %d of the README points the app at the server',
  (_number, code) => {
    const program = `${code}console.log(auth.config.apiHost, app.options.databaseURL);`;
    const output = execFileSync(
      process.execPath,
      ['--conditions=source', '--input-type=module', '--eval', program],
      { cwd: FOLDER, encoding: 'utf8' },
    );
    const database = code.includes('database')
      ? 'https://hearth.example.com?ns=demo-default-rtdb'
      : 'undefined';
    expect(output).toBe(`hearth.example.com ${database}\n`);
  },
);

test('[I207][I713] the README names the SDK versions that the manifest allows, and the tests use the last of them', () => {
  const [, first, tooNew] = /^>=(\d+\.\d+)\.0 <(\d+)\.0\.0$/.exec(MANIFEST.peerDependencies.firebase) ?? [];
  const last = Number(tooNew) - 1;
  expect(README).toContain(`Supported: \`firebase\` ${first} to ${last}.`);
  expect(MANIFEST.devDependencies.firebase).toMatch(new RegExp(`^${last}\\.`));
});
