import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { COMPILE_CACHE, PINNED_NODE, ROOT } from './paths.mjs';

/**
 * A program that is a part of a test run. It counts as one test, which passes if the exit code is 0. With
 * `projects`, it counts as the tests that Vitest ran.
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} args arguments of the pinned Node
 * @property {readonly string[]} [projects] Vitest projects, each of which must run at least one test
 * @property {boolean} [isEarly] whether it needs neither the official clients nor built pages nor a browser
 * @property {number} limitMs time after which the step is stopped and fails
 * @typedef {object} StepResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} problems sentences about failures outside of tests
 * @property {readonly import('./count-reporter.mjs').TimedOut[]} timedOut
 */

const COUNT_REPORTER = `${ROOT}scripts/count-reporter.mjs`;

/** Steps write to a pipe, so they cannot detect themselves whether the terminal supports colors. */
const COLOR = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { FORCE_COLOR: undefined, NO_COLOR: '1' };

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Stops every running step, with all processes that it started. */
export function stopSteps() {
  for (const child of running) {
    // A negative id names the process group that the step leads.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }
}

/**
 * Runs a step. Prints its output in one piece at its end, because other steps run at the same time.
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<StepResult>}
 */
export async function runStep(step, env) {
  const reportFile = `${tmpdir()}/hearth-counts-${process.pid}-${step.name.replaceAll(' ', '-')}.json`;
  const reporters = step.projects ? ['--reporter=default', `--reporter=${COUNT_REPORTER}`] : [];
  const started = Date.now();
  process.stdout.write(`── ${step.name}: started\n`);
  const ended = await runGroup(
    [...step.args, ...reporters],
    { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, COUNT_REPORT_FILE: reportFile },
    step.limitMs,
  );
  const result = step.projects
    ? countTests(readReport(reportFile), step.projects, ended.code)
    : {
        passed: ended.code === 0 ? 1 : 0,
        failed: ended.code === 0 ? 0 : 1,
        skipped: 0,
        problems: [],
        timedOut: [],
      };
  rmSync(reportFile, { force: true });
  const problems = ended.timedOut
    ? [`stopped after ${step.limitMs / 1000} s`, ...result.problems]
    : result.problems;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const outcome = result.failed === 0 ? 'ok' : 'FAILED';
  process.stdout.write(
    `\n── ${step.name}\n${ended.output}${problems.map((problem) => `   ${problem}\n`).join('')}── ${step.name}: ${outcome} (${seconds} s)\n`,
  );
  return { ...result, problems };
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} limitMs
 * @returns {Promise<{ code: number | null, output: string, timedOut: boolean }>}
 */
function runGroup(args, env, limitMs) {
  const path = `${ROOT}node_modules/.bin${delimiter}${env['PATH'] ?? ''}`;
  return new Promise((resolve, reject) => {
    const child = spawn(PINNED_NODE, args, {
      cwd: ROOT,
      env: { ...env, ...COLOR, PATH: path, NODE_OPTIONS: '--conditions=source' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    let output = '';
    let timedOut = false;
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output, timedOut });
    });
  });
}

/**
 * Reads the report of a Vitest run.
 * @param {string} file
 * @returns {import('./count-reporter.mjs').CountReport | undefined} undefined if Vitest did not write one
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Adds up the tests that Vitest counted. Each other problem counts as one failed test: a missing report, an
 * error outside of a test, a project without a passed or failed test, an exit code that contradicts the
 * counts.
 * @param {import('./count-reporter.mjs').CountReport | undefined} report
 * @param {readonly string[]} projects
 * @param {number | null} code
 * @returns {StepResult}
 */
export function countTests(report, projects, code) {
  if (report === undefined)
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      problems: ['ended without counting its tests'],
      timedOut: [],
    };
  const all = Object.values(report.projects);
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    all.reduce((total, counts) => total + counts[key], 0);
  const problems = projects
    .filter((name) => {
      const counts = report.projects[name];
      return counts === undefined || counts.passed + counts.failed === 0;
    })
    .map((name) => `project ${name} ran no test`);
  if (report.errors > 0) problems.push(`${report.errors} errors outside of tests`);
  if (code !== 0 && sum('failed') === 0 && problems.length === 0)
    problems.push(`no test failed, but the exit code is ${code}`);
  return {
    passed: sum('passed'),
    failed: sum('failed') + report.errors + problems.length - (report.errors > 0 ? 1 : 0),
    skipped: sum('skipped'),
    problems,
    timedOut: report.timedOut,
  };
}

/**
 * Returns the last line of a test run, and whether a test failed.
 * @param {readonly StepResult[]} results
 * @returns {{ line: string, hasFailed: boolean }}
 */
export function sumUp(results) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`;
  return {
    line: `${sum('passed')} passed, ${sum('failed')} failed${skipped}`,
    hasFailed: sum('failed') > 0,
  };
}
