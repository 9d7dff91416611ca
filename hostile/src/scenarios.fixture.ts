import { beforeAll, expect, test } from 'vitest';
import { raisePriority } from './run/priority.ts';
import { runScenario } from './run/run-scenario.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** Maximum duration of a scenario with its repetitions, in ms. */
const TIMEOUT_MS = 300_000;

/** Declares one test for each scenario. */
export function testScenarios(scenarios: readonly Scenario[]): void {
  beforeAll(raisePriority);
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '[P70] the server and its other clients withstand: %s',
    { timeout: TIMEOUT_MS },
    async (_name, scenario) => {
      const result = await runScenario(scenario, { judgesTime: false });
      if (result.kind === 'impossible') {
        console.warn(`${scenario.name}: this user may not add addresses to the loopback interface.`);
        return;
      }
      expect(result.kind === 'failed' ? result : 'held').toBe('held');
      if (result.kind === 'held') console.info(`${scenario.name}: ${result.figures}`);
    },
  );
}
