import { defineConfig } from 'vitest/config';

/** Packages see each other's source, as they do under Node with `--conditions=source`. */
const conditions = ['source', 'module', 'node', 'development|production'];

function project(name: string, root: string) {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: { name, root, include: ['**/*.test.ts'] },
  };
}

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('server', 'packages/server'),
      project('bench', 'bench'),
      project('checks', 'checks'),
    ],
  },
});
