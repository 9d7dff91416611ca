// `npm test`: installs what is missing, browsers included, then runs all that a change can break most. `npm run test:all`:
// everything. `npm run check`: the quick part. The last line is `N passed, N failed`, with `, N skipped` if there are any.
// Runs under Node 20 with nothing installed.
import { buildPages } from './build-pages.mjs';
import { CHROMIUM, FIREFOX, findOrInstall } from './find-browser.mjs';
import { install, installClients } from './install.mjs';
import { runStep, stopSteps, sumUp } from './run-step.mjs';
import { EXTENTS, stepsOf } from './steps.mjs';

/** How many steps run at once: more than there are cores, because all of them wait at times. */
const PARALLEL_STEPS = 3;

/** @param {readonly import('./run-step.mjs').Step[]} steps @param {NodeJS.ProcessEnv} env */
async function runSteps(steps, env) {
  const queue = [...steps];
  /** @type {import('./run-step.mjs').StepResult[]} */
  const results = [];
  const lane = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      results.push(await runStep(step, env));
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

/**
 * An environment that names the browsers; `undefined` after a failure, which has then been explained.
 * @param {boolean} all Firefox too
 */
async function findBrowsers(all) {
  const chromium = await findOrInstall(CHROMIUM);
  if (chromium === undefined) return undefined;
  // Without this one its own tests fail, and no others.
  const firefox = all ? await findOrInstall(FIREFOX) : undefined;
  return {
    ...process.env,
    [CHROMIUM.variable]: chromium,
    ...(firefox === undefined ? {} : { [FIREFOX.variable]: firefox }),
  };
}

/** @param {import('./steps.mjs').Extent} extent */
async function run(extent) {
  const isWhole = extent !== 'check';
  if (!(await install()) || (isWhole && !((await installClients()) && (await buildPages())))) return;
  const env = isWhole ? await findBrowsers(extent === 'all') : process.env;
  if (env === undefined) {
    process.exitCode = 1;
    return;
  }
  stopStepsAtExit();
  const { line, hasFailed } = sumUp(await runSteps(stepsOf(extent), env));
  process.exitCode = hasFailed ? 1 : 0;
  process.stdout.write(`\n${line}\n`);
}

await run(EXTENTS.find((extent) => extent === process.argv[2]) ?? 'test');
