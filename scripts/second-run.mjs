import { runStep } from './run-step.mjs';

/**
 * @typedef {import('./run-step.mjs').Step} Step
 * @typedef {import('./run-step.mjs').StepResult} StepResult
 */

/**
 * Returns the step that repeats the tests of a step that failed, alone; `undefined` if a test failed for another reason
 * than a timeout. A timeout may only mean that the machine was busy: other steps run at the same time. A wrong result
 * is never repeated.
 * @param {Step} step
 * @param {StepResult} result
 * @returns {Step | undefined}
 */
export function secondRunOf(step, { failed, timedOut }) {
  if (failed === 0 || timedOut.length !== failed) return undefined;
  /** @param {(test: StepResult['timedOut'][number]) => string} read */
  const distinct = (read) => [...new Set(timedOut.map(read))];
  return {
    ...step,
    name: `${step.name} again`,
    args: [...step.args, ...distinct(({ file }) => file)],
    projects: distinct(({ project }) => project),
  };
}

/**
 * Returns the result of a step after its second run. Only a second run without any failure counts.
 * @param {StepResult} first
 * @param {StepResult} second
 * @returns {StepResult}
 */
export function withSecondRun(first, second) {
  if (second.failed > 0) return first;
  return { ...first, passed: first.passed + first.failed, failed: 0 };
}

/**
 * Repeats tests that timed out, one step after another, and names those that pass alone.
 * @param {readonly { readonly step: Step, readonly result: StepResult }[]} ended
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<readonly StepResult[]>}
 */
export async function repeatTimeouts(ended, env) {
  const results = [];
  for (const { step, result } of ended) {
    const again = secondRunOf(step, result);
    if (again === undefined) {
      results.push(result);
      continue;
    }
    const repeated = withSecondRun(result, await runStep(again, env));
    if (repeated.failed === 0)
      for (const { name } of result.timedOut)
        process.stdout.write(`Timed out beside other steps, and passed alone: ${name}\n`);
    results.push(repeated);
  }
  return results;
}
