import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_LAUNCH } from '../scripts/chromium.ts';

/** Warnings that the SDK prints for developers; the tests provoke them on purpose. */
const SDK_LOG = /@firebase\//;

/** Long enough for a slow or busy machine. Only failing tests take this long. */
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 };

/**
 * Test files share a process and its modules: starting a process and loading the modules for each file took more than a second
 * of a core.
 */
const isolate = false;

/** The tests import Hearth's client package from source, and every other package as its users do. */
const conditions = ['source', 'module', 'development|production'];
const inNode = {
  resolve: { conditions: [...conditions, 'node'] },
  ssr: { resolve: { conditions: [...conditions, 'node'] } },
};

const IN_FIREFOX = 'console/firefox*.test.ts';
/** Tests of the official SDK with the pages on which users of apps sign in, in a browser. */
const MAIN_APPS = ['apps/popup-*.test.ts'];
/** Tests of every area of the console by keyboard, and of the frame around the areas. */
const MAIN_CONSOLE = ['console/keyboard*.test.ts', 'console/overview.test.ts', 'console/shell.test.ts'];
const browserTest = { maxWorkers: 3, ...timeouts, expect: { poll: { timeout: 120_000 } } };

export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: ['drivers/test-bed.ts'],
    onConsoleLog: (log) => !SDK_LOG.test(log),
    projects: [
      {
        ...inNode,
        // Two files spend minutes waiting for timeouts, so more files run in parallel than the machine has cores.
        test: {
          name: 'node',
          include: ['suites/**/*.test.ts'],
          exclude: ['suites/**/*.browser.test.ts'],
          maxWorkers: 4,
          isolate,
          ...timeouts,
        },
      },
      {
        ...inNode,
        // Each test starts several programs that need a core for a second each.
        test: {
          name: 'clients',
          include: ['clients/*.test.ts'],
          maxWorkers: 2,
          maxConcurrency: 2,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        ...inNode,
        test: { name: 'walk', include: ['walk/*.test.ts'], testTimeout: 480_000 },
      },
      {
        ...inNode,
        // Each file starts a browser and a server.
        test: { name: 'console-main', include: MAIN_CONSOLE, isolate, ...browserTest },
      },
      {
        ...inNode,
        test: {
          name: 'console',
          include: ['console/*.test.ts'],
          exclude: [...MAIN_CONSOLE, IN_FIREFOX],
          ...browserTest,
        },
      },
      {
        ...inNode,
        // Each file starts a browser.
        test: { name: 'apps-main', include: MAIN_APPS, ...browserTest },
      },
      {
        ...inNode,
        // Each file starts a browser, and some a server of their own. Only `npm run test:all` runs them.
        test: { name: 'apps', include: ['apps/*.test.ts'], exclude: MAIN_APPS, ...browserTest },
      },
      {
        ...inNode,
        // These run the most important tests in a second browser, which some machines lack.
        test: { name: 'console-firefox', include: [IN_FIREFOX], ...browserTest },
      },
      {
        resolve: { conditions: [...conditions, 'browser'] },
        optimizeDeps: {
          include: ['firebase/app', 'firebase/app-check', 'firebase/auth', 'firebase/database'],
        },
        test: {
          name: 'chromium',
          include: ['suites/**/*.test.ts'],
          exclude: ['suites/**/*.node.test.ts'],
          ...timeouts,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: CHROMIUM_LAUNCH }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
