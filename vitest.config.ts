import { defineConfig } from 'vitest/config';

/** Packages see each other's source, as they do under Node with `--conditions=source`. */
const conditions = ['source', 'module', 'node', 'development|production'];

function project(name: string, root: string) {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      root,
      include: ['**/*.test.ts'],
      // Files share the modules that they read: reading them anew for each took longer than the tests.
      isolate: false,
      // Long enough for a slow or busy machine. Only failing tests take this long.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 30_000 } },
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('server', 'packages/server'),
      project('client', 'packages/client'),
      'packages/pages/vitest.config.ts',
      project('built-pages', 'packages/pages/built'),
      'packages/console/vitest.config.ts',
      project('built-console', 'packages/console/built'),
      project('bench', 'bench'),
      project('checks', 'checks'),
    ],
  },
});
