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

/** Number of concurrent steps while the tests are prepared, which needs about a core. */
const EARLY_STEPS = 2;

/**
 * Runs the steps in their order. Until the tests are prepared, runs only steps that do not wait for that.
 * @param {readonly import('./run-step.mjs').Step[]} steps
 * @param {Promise<NodeJS.ProcessEnv | undefined>} preparation as `prepareTests` returns it
 * @param {number} laneCount
 * @returns {Promise<readonly import('./run-step.mjs').StepResult[] | undefined>} undefined if the preparation failed
 */
async function runSteps(steps, preparation, laneCount) {
  const queue = [...steps];
  /** @type {{ step: import('./run-step.mjs').Step, result: import('./run-step.mjs').StepResult }[]} */
  const ended = [];
  let isPrepared = false;
  const prepared = preparation.then((env) => {
    isPrepared = true;
    if (env === undefined) queue.length = 0;
    return env;
  });
  const takeStep = () => {
    const index = queue.findIndex(({ isEarly }) => isPrepared || isEarly);
    return index === -1 ? undefined : queue.splice(index, 1)[0];
  };
  /** @param {number} number */
  const runLane = async (number) => {
    if (number >= EARLY_STEPS) await prepared;
    while (queue.length > 0) {
      const step = takeStep();
      if (step === undefined) {
        await prepared;
        continue;
      }
      const env = isPrepared ? await prepared : undefined;
      ended.push({ step, result: await runStep(step, env ?? process.env) });
    }
  };
  await Promise.all(Array.from({ length: laneCount }, (_, number) => runLane(number)));
  const env = await prepared;
  return env === undefined ? undefined : repeatTimeouts(ended, env);
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

/**
 * Installs the official clients, builds the pages and finds the programs, at the same time. Prints a failure.
 * @param {boolean} all as for `findPrograms`
 * @returns {Promise<NodeJS.ProcessEnv | undefined>} the environment of the steps; undefined after a failure
 */
async function prepareTests(all) {
  const [env, ...succeeded] = await Promise.all([findPrograms(all), installClients(), buildPages()]);
  return succeeded.every(Boolean) ? env : undefined;
}

/** @param {import('./steps.mjs').Extent} extent */
async function run(extent) {
  if (!(await install())) return;
  stopStepsAtExit();
  const preparation = extent === 'check' ? Promise.resolve(process.env) : prepareTests(extent === 'all');
  const results = await runSteps(stepsOf(extent), preparation, PARALLEL_STEPS[extent]);
  if (results === undefined) {
    process.exitCode = 1;
    return;
  }
  const { line, hasFailed } = sumUp(results);
  process.exitCode = hasFailed ? 1 : 0;
  process.stdout.write(`\n${line}\n`);
}

await run(EXTENTS.find((extent) => extent === process.argv[2]) ?? 'test');
