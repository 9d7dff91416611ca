import { defineConfig } from 'vitest/config';

/** Packages import each other's source, like under Node with `--conditions=source`. */
const conditions = ['source', 'module', 'node', 'development|production'];

/** Tests that start processes or browsers, or whole servers in this process. */
const INTEGRATION = ['src/{app,cli}/**/*.test.ts', '**/*.{process,browser}.test.ts'];

/** Tests of commands that start a server and a dozen programs each, which only `npm run test:all` runs. */
const COMMANDS = [
  'src/cli/{backup,doctor,operator,projects/look}.test.ts',
  'src/cli/{online/doctor,rules/live,rules/remote,rules/rules,transfer/transfer,users/users}.test.ts',
];

/** Long simulations, and tests on NATS servers, which only `npm run test:all` runs. */
const CLUSTER = ['src/cluster/**/*.process.test.ts'];

interface Files {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

function project(name: string, root: string, { include = ['**/*.test.ts'], exclude = [] }: Files = {}) {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      root,
      include: [...include],
      exclude: ['**/node_modules/**', ...exclude],
      // Test files share loaded modules: loading them again for each file took longer than the tests.
      isolate: false,
      // Long enough for a slow or busy machine. Only failing tests take this long.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 120_000 } },
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('server', 'packages/server', { exclude: INTEGRATION }),
      project('client', 'packages/client', { exclude: INTEGRATION }),
      project('integration', 'packages/server', { include: INTEGRATION, exclude: [...COMMANDS, ...CLUSTER] }),
      project('commands', 'packages/server', { include: COMMANDS }),
      project('cluster', 'packages/server', { include: CLUSTER }),
      project('client-integration', 'packages/client', { include: INTEGRATION }),
      'packages/pages/vitest.config.ts',
      project('built-pages', 'packages/pages/built'),
      'packages/console/vitest.config.ts',
      project('built-console', 'packages/console/built'),
      project('bench', 'bench', { exclude: ['src/faults/short.test.ts'] }),
      project('faults', 'bench/src/faults', { include: ['short.test.ts'] }),
      project('hostile', 'hostile'),
      project('checks', 'checks'),
    ],
  },
});
