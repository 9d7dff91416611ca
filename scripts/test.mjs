// `npm test`: installs what is missing, browsers included, then runs every check and test. `npm run check`: the quick part.
// The last line is `N passed, N failed`, with `, N skipped` if there are any. Runs under Node 20 with nothing installed.
import { buildPages } from './build-pages.mjs';
import { CHROMIUM, FIREFOX, findOrInstall } from './find-browser.mjs';
import { install, installClients } from './install.mjs';
import { ROOT } from './paths.mjs';
import { runStep, stopSteps } from './run-step.mjs';

const TSC = `${ROOT}node_modules/typescript/bin/tsc`;
const BIOME = `${ROOT}node_modules/@biomejs/biome/bin/biome`;
const KNIP = `${ROOT}node_modules/knip/bin/knip.js`;
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`;
const MINUTE_MS = 60_000;

/** How many of the steps that may overlap run at once. */
const PARALLEL_STEPS = 2;

/** @param {string} name @param {string} config @returns {import('./run-step.mjs').Step} */
function types(name, config) {
  return { name: `types ${name}`, args: [TSC, '-p', config], limitMs: 2 * MINUTE_MS };
}

/** @param {string} name @param {readonly string[]} projects @returns {import('./run-step.mjs').Step} */
function tests(name, projects) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  return { name, args: [VITEST, 'run', ...chosen], projects, limitMs: 12 * MINUTE_MS };
}

/** In a browser, and what is built of them. @type {import('./run-step.mjs').Step} */
const PAGES = {
  name: 'pages',
  args: [
    VITEST,
    'run',
    ...['pages*', 'built-pages', 'console-views*', 'built-console'].flatMap((name) => ['--project', name]),
  ],
  projects: ['pages (chromium)', 'built-pages', 'console-views (chromium)', 'built-console'],
  limitMs: 6 * MINUTE_MS,
};

/** Steps that may run beside each other, the longest first. @param {boolean} whole @returns {readonly import('./run-step.mjs').Step[]} */
function overlappingSteps(whole) {
  return [
    whole
      ? tests('unit tests and checks', ['core', 'server', 'client', 'bench', 'checks'])
      : tests('checks', ['checks']),
    ...(whole ? [PAGES] : []),
    types('core without platform', 'packages/core/tsconfig.source.json'),
    types('core', 'packages/core/tsconfig.json'),
    types('server', 'packages/server/tsconfig.json'),
    types('client', 'packages/client/tsconfig.json'),
    types('pages', 'packages/pages/tsconfig.json'),
    types('console', 'packages/console/tsconfig.json'),
    types('conformance', 'conformance/tsconfig.json'),
    // Their types are those of the clients, which the quick part does not install.
    ...(whole ? [types('clients', 'conformance/clients/tsconfig.json')] : []),
    types('bench', 'bench/tsconfig.json'),
    types('checks and scripts', 'tsconfig.json'),
    { name: 'format and lint', args: [BIOME, 'ci', '--error-on-warnings', '.'], limitMs: MINUTE_MS },
    { name: 'dead code', args: [KNIP], limitMs: MINUTE_MS },
  ];
}

const CONFORMANCE_ARGS = [VITEST, 'run', '--config', 'conformance/vitest.config.ts'];

/** The browser and the server under test want both cores, so this step runs alone. @type {import('./run-step.mjs').Step} */
const CONFORMANCE = {
  name: 'conformance',
  args: [...CONFORMANCE_ARGS, '--project', 'node', '--project', 'chromium*'],
  projects: ['node', 'chromium (chromium)'],
  limitMs: 12 * MINUTE_MS,
};

/** So do these: each file starts a browser and a server. @type {import('./run-step.mjs').Step} */
const CONSOLE = {
  name: 'console',
  args: [...CONFORMANCE_ARGS, '--project', 'console', '--project', 'console-firefox'],
  projects: ['console', 'console-firefox'],
  limitMs: 25 * MINUTE_MS,
};

/** So does this one: the clients are programs that each take a core for a second. @type {import('./run-step.mjs').Step} */
const CLIENTS = {
  name: 'official clients',
  args: [...CONFORMANCE_ARGS, '--project', 'clients'],
  projects: ['clients'],
  limitMs: 6 * MINUTE_MS,
};

/** @param {readonly import('./run-step.mjs').Step[]} steps @param {NodeJS.ProcessEnv} env */
async function runOverlapping(steps, env) {
  const queue = [...steps];
  /** @type {import('./run-step.mjs').StepResult[]} */
  const results = [];
  const lane = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      results.push(await runStep(step, env, false));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_STEPS }, lane));
  return results;
}

/** Makes a signal end this process through `exit`, which stops the steps; by default it would leave them running. */
function stopStepsAtExit() {
  process.on('exit', stopSteps);
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}

/** An environment that names the browsers; `undefined` after a failure, which has then been explained. */
async function findBrowsers() {
  const chromium = await findOrInstall(CHROMIUM);
  if (chromium === undefined) return undefined;
  // Without this one its own tests fail, and no others.
  const firefox = await findOrInstall(FIREFOX);
  return {
    ...process.env,
    [CHROMIUM.variable]: chromium,
    ...(firefox === undefined ? {} : { [FIREFOX.variable]: firefox }),
  };
}

/** @param {boolean} whole */
async function run(whole) {
  if (!(await install()) || (whole && !(await installClients()))) return;
  if (whole && !(await buildPages())) return;
  const env = whole ? await findBrowsers() : process.env;
  if (env === undefined) {
    process.exitCode = 1;
    return;
  }
  stopStepsAtExit();
  const results = await runOverlapping(overlappingSteps(whole), env);
  if (whole) for (const step of [CONFORMANCE, CONSOLE, CLIENTS]) results.push(await runStep(step, env, true));
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`;
  process.exitCode = sum('failed') === 0 ? 0 : 1;
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
}

await run(process.argv[2] !== 'check');
