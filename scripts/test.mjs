// `npm test`: installs what is missing, including browsers, then runs the tests that a change breaks most
// often. `npm run test:all` runs everything, `npm run check` the static checks. The last line is `N passed, N
// failed`, with `, N skipped` if tests were skipped. Runs under Node 20 without installed packages.
import { buildPages } from './build-pages.mjs';
import { CHROMIUM, FIREFOX, findOrInstall } from './find-browser.mjs';
import { findOrFetchNatsServer, NATS_SERVER } from './find-nats-server.mjs';
import { install, installClients } from './install.mjs';
import { runStep, stopSteps, sumUp } from './run-step.mjs';
import { repeatTimeouts } from './second-run.mjs';
import { EXTENTS, stepsOf } from './steps.mjs';

/**
 * Number of concurrent steps. It may exceed the number of cores, because every step waits at times. `all` runs fewer:
 * its browsers wait less.
 */
const PARALLEL_STEPS = { check: 4, test: 5, all: 3 };

/**
 * @param {readonly import('./run-step.mjs').Step[]} steps
 * @param {NodeJS.ProcessEnv} env
 * @param {number} laneCount
 */
async function runSteps(steps, env, laneCount) {
  const queue = [...steps];
  /** @type {{ step: import('./run-step.mjs').Step, result: import('./run-step.mjs').StepResult }[]} */
  const ended = [];
  const lane = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      ended.push({ step, result: await runStep(step, env) });
    }
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
  return repeatTimeouts(ended, env);
}

/**
 * Makes a signal end this process through `exit`, which stops the steps. By default, a signal would leave
 * them running.
 */
function stopStepsAtExit() {
  process.on('exit', stopSteps);
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}

/**
 * Returns an environment that names the browsers; `undefined` after a failure, which `findOrInstall` prints.
 * @param {boolean} all whether to find Firefox too
 */
async function findBrowsers(all) {
  const chromium = await findOrInstall(CHROMIUM);
  if (chromium === undefined) return undefined;
  // Without Firefox, only its own tests fail.
  const firefox = all ? await findOrInstall(FIREFOX) : undefined;
  return {
    ...process.env,
    [CHROMIUM.variable]: chromium,
    ...(firefox === undefined ? {} : { [FIREFOX.variable]: firefox }),
  };
}

/**
 * Returns an environment that names the programs that tests start; `undefined` after a failure, which is printed.
 * @param {boolean} all
 */
async function findPrograms(all) {
  const browsers = await findBrowsers(all);
  // Without a NATS server, only its own tests are skipped.
  const natsServer = all && browsers !== undefined ? await findOrFetchNatsServer() : undefined;
  return natsServer === undefined ? browsers : { ...browsers, [NATS_SERVER]: natsServer };
}

/** Installs the official clients and builds the pages, at the same time. Returns false after a failure. */
async function prepareTests() {
  const succeeded = await Promise.all([installClients(), buildPages()]);
  return succeeded.every(Boolean);
}

/** @param {import('./steps.mjs').Extent} extent */
async function run(extent) {
  const isWhole = extent !== 'check';
  if (!(await install()) || (isWhole && !(await prepareTests()))) return;
  const env = isWhole ? await findPrograms(extent === 'all') : process.env;
  if (env === undefined) {
    process.exitCode = 1;
    return;
  }
  stopStepsAtExit();
  const { line, hasFailed } = sumUp(await runSteps(stepsOf(extent), env, PARALLEL_STEPS[extent]));
  process.exitCode = hasFailed ? 1 : 0;
  process.stdout.write(`\n${line}\n`);
}

await run(EXTENTS.find((extent) => extent === process.argv[2]) ?? 'test');
