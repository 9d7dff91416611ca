import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';

/** Long enough for a machine that is slow or busy: they only tell how long a failure takes. */
const TIMEOUT_MS = 60_000;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  // Found only in some tests: to be found while they run would begin them anew.
  optimizeDeps: { include: ['fast-check'] },
  test: {
    name: 'console-views',
    include: ['src/**/*.test.{ts,tsx}'],
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
