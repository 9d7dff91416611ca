import { ROOT } from './paths.mjs';

const TSC = `${ROOT}node_modules/typescript/bin/tsc`;
const BIOME = `${ROOT}node_modules/@biomejs/biome/bin/biome`;
const KNIP = `${ROOT}node_modules/knip/bin/knip.js`;
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`;
const MINUTE_MS = 60_000;

/** How much is run: the quick part, what a change can break most, or everything. @typedef {'check' | 'test' | 'all'} Extent */
/** @type {readonly Extent[]} */
export const EXTENTS = ['check', 'test', 'all'];

/** @param {string} name @param {string} config @returns {import('./run-step.mjs').Step} */
function types(name, config) {
  return { name: `types ${name}`, args: [TSC, '-p', config], limitMs: 5 * MINUTE_MS };
}

/**
 * Many times as long as it takes alone: other steps run beside it, and the limit only tells how long a failure takes.
 * @param {string} name
 * @param {readonly string[]} projects
 * @param {readonly string[]} [options]
 * @returns {import('./run-step.mjs').Step}
 */
function tests(name, projects, options = []) {
  const chosen = projects.flatMap((project) => ['--project', project.replace(/ \(chromium\)$/, '*')]);
  return { name, args: [VITEST, 'run', ...options, ...chosen], projects, limitMs: 40 * MINUTE_MS };
}

/** @param {string} name @param {readonly string[]} projects */
function conformance(name, projects) {
  return tests(name, projects, ['--config', 'conformance/vitest.config.ts']);
}

/** Projects of Vitest that run in a browser are named after it, too. */
const IN_CHROMIUM = ' (chromium)';

const CHECKS = [
  types('core without platform', 'packages/core/tsconfig.source.json'),
  types('core', 'packages/core/tsconfig.json'),
  types('server', 'packages/server/tsconfig.json'),
  types('client', 'packages/client/tsconfig.json'),
  types('pages', 'packages/pages/tsconfig.json'),
  types('console', 'packages/console/tsconfig.json'),
  types('conformance', 'conformance/tsconfig.json'),
  types('bench', 'bench/tsconfig.json'),
  types('checks and scripts', 'tsconfig.json'),
  {
    name: 'format and lint',
    args: [BIOME, 'ci', '--error-on-warnings', '.'],
    limitMs: 5 * MINUTE_MS,
  },
  { name: 'dead code', args: [KNIP], limitMs: 5 * MINUTE_MS },
];

const UNIT = ['core', 'server', 'client', 'checks'];
const PAGES = [`pages${IN_CHROMIUM}`, 'built-pages', `console-views${IN_CHROMIUM}`, 'built-console'];
const MAIN_CONSOLE = ['console-main'];
/** What only everything has: the rest of the console, and whether the bench notices servers that lose writes. */
const MORE_UNIT = ['bench'];
const MORE_CONSOLE = ['console', 'console-firefox'];

/**
 * What is run, the longest first: a step takes the place of another that has ended.
 * @param {Extent} extent
 * @returns {readonly import('./run-step.mjs').Step[]}
 */
export function stepsOf(extent) {
  if (extent === 'check') return [tests('checks', ['checks']), ...CHECKS];
  const isAll = extent === 'all';
  return [
    conformance('console', isAll ? [...MAIN_CONSOLE, ...MORE_CONSOLE] : MAIN_CONSOLE),
    // Two files at once: other steps leave it what they do not need.
    tests('unit tests and checks', isAll ? [...UNIT, ...MORE_UNIT] : UNIT, ['--maxWorkers', '2']),
    conformance('conformance', ['node', `chromium${IN_CHROMIUM}`]),
    conformance('official clients', ['clients']),
    tests('pages', PAGES),
    // Their types are those of the clients, which the quick part does not install.
    types('clients', 'conformance/clients/tsconfig.json'),
    ...CHECKS,
  ];
}
