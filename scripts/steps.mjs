import { ROOT } from './paths.mjs';

const TSC = `${ROOT}node_modules/typescript/bin/tsc`;
const BIOME = `${ROOT}node_modules/@biomejs/biome/bin/biome`;
const KNIP = `${ROOT}node_modules/knip/bin/knip.js`;
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`;
const MINUTE_MS = 60_000;

/**
 * The extent of a run: static checks, the tests that a change breaks most often, or everything.
 * @typedef {'check' | 'test' | 'all'} Extent
 */
/** @type {readonly Extent[]} */
export const EXTENTS = ['check', 'test', 'all'];

/** @param {string} name @param {string} config @returns {import('./run-step.mjs').Step} */
function types(name, config) {
  return { name: `types ${name}`, args: [TSC, '-p', config], isEarly: true, limitMs: 5 * MINUTE_MS };
}

/**
 * Returns a step that runs Vitest projects. Only a step that hangs reaches its time limit: on a slow machine, beside two
 * other steps, the longest one takes over 40 minutes.
 * @param {string} name
 * @param {readonly string[]} projects
 * @param {readonly string[]} [options]
 * @returns {import('./run-step.mjs').Step}
 */
function tests(name, projects, options = []) {
  const chosen = projects.flatMap((project) => ['--project', project.replace(/ \(chromium\)$/, '*')]);
  return { name, args: [VITEST, 'run', ...options, ...chosen], projects, limitMs: 80 * MINUTE_MS };
}

/** @param {string} name @param {readonly string[]} projects @param {readonly string[]} [options] */
function conformance(name, projects, options = []) {
  return tests(name, projects, ['--config', 'conformance/vitest.config.ts', ...options]);
}

/** Vitest adds the name of the browser to projects that run in one. */
const IN_CHROMIUM = ' (chromium)';

const CHECKS = [
  types('core without platform', 'packages/core/tsconfig.source.json'),
  types('core', 'packages/core/tsconfig.json'),
  types('server', 'packages/server/tsconfig.json'),
  types('client', 'packages/client/tsconfig.json'),
  types('pages', 'packages/pages/tsconfig.json'),
  types('console', 'packages/console/tsconfig.json'),
  types('conformance', 'conformance/tsconfig.json'),
  types('hostile', 'hostile/tsconfig.json'),
  types('bench', 'bench/tsconfig.json'),
  types('checks and scripts', 'tsconfig.json'),
  {
    name: 'format and lint',
    args: [BIOME, 'ci', '--error-on-warnings', '.'],
    isEarly: true,
    limitMs: 5 * MINUTE_MS,
  },
  { name: 'dead code', args: [KNIP], isEarly: true, limitMs: 5 * MINUTE_MS },
];

/** Runs at most two files of a step in parallel, because other steps run at the same time. */
const TWO_FILES = ['--maxWorkers', '2'];

/** Projects that start no process and no browser. */
const UNIT = ['core', 'server', 'client'];
const INTEGRATION = ['integration', 'client-integration', 'checks'];
const PAGES = [`pages${IN_CHROMIUM}`, 'built-pages', `console-views${IN_CHROMIUM}`, 'built-console'];
/** Tests of the console, and of the pages of apps, in a browser that a test in Node controls. */
const MAIN_IN_BROWSER = ['console-main', 'apps-main'];
/**
 * Only `all` runs these projects: that the bench detects servers that lose writes, commands of the command line that
 * start many programs, and long simulations of a cluster and its log on NATS servers.
 */
const MORE_INTEGRATION = ['bench', 'commands', 'cluster'];
/** Attacks, and faults of the system. */
const HOSTILE = ['hostile', 'faults'];
/** Selects the conformance tests that do not run in Node. */
const ONLY_IN_BROWSERS = ['.browser.test.ts'];
/**
 * Omits the tests of the Firebase command line, which takes a second of a core for each command, and those of popups
 * with a real provider, which start a browser and two servers, and of functions, which start two programs.
 */
const WITHOUT_SLOW_CLIENTS = [
  '--exclude',
  '**/clients/{cli-*,auth-cli,provider-*,saml-popup,blocking-functions}.test.ts',
];
/** Only `all` runs these projects. */
const MORE_IN_BROWSER = ['console', 'console-firefox', 'apps'];

/**
 * Returns the steps of a run in the order in which they start, the longest first.
 * @param {Extent} extent
 * @returns {readonly import('./run-step.mjs').Step[]}
 */
export function stepsOf(extent) {
  if (extent === 'check') return [tests('checks', ['checks']), ...CHECKS];
  const isAll = extent === 'all';
  return [
    conformance('conformance', ['node']),
    conformance('console and apps', isAll ? [...MAIN_IN_BROWSER, ...MORE_IN_BROWSER] : MAIN_IN_BROWSER),
    tests(
      'integration tests and checks',
      isAll ? [...INTEGRATION, ...MORE_INTEGRATION] : INTEGRATION,
      TWO_FILES,
    ),
    { ...tests('unit tests', UNIT, TWO_FILES), isEarly: true },
    // Waits most of the time, so it runs beside the steps that need the cores.
    tests('attacks and faults', HOSTILE, ['--maxWorkers', '1']),
    tests('pages', PAGES),
    // Most of these files run in Node, too.
    conformance('conformance in Chromium', [`chromium${IN_CHROMIUM}`], isAll ? [] : ONLY_IN_BROWSERS),
    conformance('official clients', ['clients'], isAll ? [] : WITHOUT_SLOW_CLIENTS),
    conformance('documents', ['walk']),
    // This step needs the official clients, which `check` does not install.
    { ...types('clients', 'conformance/clients/tsconfig.json'), isEarly: false },
    ...CHECKS,
  ];
}
