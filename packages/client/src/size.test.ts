import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';

const LIMIT_BYTES = 4.5 * 1024;
/** The limit of the functions for passkeys, including the library that calls the browser. */
const PASSKEYS_LIMIT_BYTES = 5 * 1024;

/** The limit of App Check, including the search for solutions of challenges. */
const APP_CHECK_LIMIT_BYTES = 2 * 1024;

/** Returns the code that a bundler adds to an app that already has the SDK. */
async function bundle(entry = 'index.ts'): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source'] },
    build: {
      write: false,
      minify: true,
      lib: { entry: join(import.meta.dirname, entry), formats: ['es'] },
      rolldownOptions: { external: /^firebase\// },
    },
  });
  if (!Array.isArray(output)) throw new Error('The build has no output.');
  return output
    .flatMap(({ output: chunks }) => chunks.map((chunk) => ('code' in chunk ? chunk.code : '')))
    .join('');
}

test('[I195] the package adds less than 4.5 KB, compressed', async () => {
  const code = await bundle();
  expect(code).toContain('firebase/auth');
  expect(gzipSync(code).length).toBeLessThan(LIMIT_BYTES);
});

test('[I208] the functions for passkeys add less than 5 KB, compressed', async () => {
  const code = await bundle('passkeys/index.ts');
  expect(code).toContain('passkeyEnrollment');
  expect(gzipSync(code).length).toBeLessThan(PASSKEYS_LIMIT_BYTES);
});

test('[I1173] the functions for App Check add less than 2 KB, compressed', async () => {
  const code = await bundle('app-check/index.ts');
  expect(code).toContain('app-check/exchange');
  expect(gzipSync(code).length).toBeLessThan(APP_CHECK_LIMIT_BYTES);
});

test('[I195] the package imports only the SDK', async () => {
  const imported = [...(await bundle()).matchAll(/from\s*["']([^"']+)["']/g)].map(([, name]) => name);
  expect(new Set(imported)).toEqual(new Set(['firebase/app', 'firebase/auth', 'firebase/database']));
});
