import { writeFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ project: string, file: string, name: string }} TimedOut a failed test that waited too long
 * @typedef {object} CountReport
 * @property {Record<string, Counts>} projects
 * @property {number} errors number of failures outside of tests
 * @property {readonly TimedOut[]} timedOut
 */

/** Errors of Vitest and Playwright after waiting in vain: of a test or a hook, of `expect.poll`, of a locator. */
const TIMEOUT = /^Test timed out in|^Hook timed out in|did not succeed in time|Timeout \d+ms exceeded/;

/**
 * Returns whether a test failed only because it waited too long.
 * @param {import('vitest/node').TestResult} result
 */
function hasTimedOut({ state, errors = [] }) {
  return (
    state === 'failed' &&
    errors.length > 0 &&
    errors.every(({ message, cause }) => [message, cause?.message].some((text) => TIMEOUT.test(text ?? '')))
  );
}

/** Vitest reporter that writes a CountReport as JSON to the file named by COUNT_REPORT_FILE. */
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env['COUNT_REPORT_FILE'];
    if (file === undefined) throw new Error('COUNT_REPORT_FILE must name the file for the report');
    /** @type {TimedOut[]} */
    const timedOut = [];
    /** @type {CountReport} */
    const report = { projects: {}, errors: unhandledErrors.length, timedOut };
    for (const module of modules) {
      report.projects[module.project.name] ??= { passed: 0, failed: 0, skipped: 0 };
      const counts = /** @type {Counts} */ (report.projects[module.project.name]);
      // Errors outside of tests: the file does not load, or a hook throws. Either may prevent its tests from
      // running.
      report.errors += module.errors().length;
      for (const suite of module.children.allSuites()) report.errors += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        const { state } = result;
        // A test that is still pending at the end of the run counts as failed.
        counts[state === 'passed' || state === 'skipped' ? state : 'failed'] += 1;
        if (hasTimedOut(result))
          timedOut.push({ project: module.project.name, file: module.moduleId, name: test.fullName });
      }
    }
    writeFileSync(file, JSON.stringify(report));
  }
}
