import { writeFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ projects: Record<string, Counts>, errors: number }} CountReport `errors` counts failures outside of tests
 */

/** Vitest reporter that writes a CountReport as JSON to the file named by COUNT_REPORT_FILE. */
export default class CountReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env['COUNT_REPORT_FILE'];
    if (file === undefined) throw new Error('COUNT_REPORT_FILE must name the file for the report');
    /** @type {CountReport} */
    const report = { projects: {}, errors: unhandledErrors.length };
    for (const module of modules) {
      report.projects[module.project.name] ??= { passed: 0, failed: 0, skipped: 0 };
      const counts = /** @type {Counts} */ (report.projects[module.project.name]);
      // Errors outside of tests: the file does not load, or a hook throws. Either may prevent its tests from
      // running.
      report.errors += module.errors().length;
      for (const suite of module.children.allSuites()) report.errors += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        // A test that is still pending at the end of the run counts as failed.
        counts[state === 'passed' || state === 'skipped' ? state : 'failed'] += 1;
      }
    }
    writeFileSync(file, JSON.stringify(report));
  }
}
