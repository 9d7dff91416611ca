import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';

/** Long enough for a slow or busy machine. Only failing tests take this long. */
const TIMEOUT_MS = 60_000;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  // If Vite discovered a package during the run, it would restart the tests. Tests mount the views of the whole console.
  optimizeDeps: {
    entries: ['src/app/main.ts', 'src/**/*.fixture.tsx'],
    include: ['axe-core', 'csv-parse/browser/esm/sync', 'fast-check'],
  },
  test: {
    name: 'console-views',
    include: ['src/**/*.test.{ts,tsx}'],
    // Test files share a page and its modules: loading them again for each file took longer than many tests.
    isolate: false,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: CHROMIUM_LAUNCH }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
