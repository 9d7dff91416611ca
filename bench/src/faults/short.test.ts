import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../scripts/random.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { CLOCK_JUMPS } from './kinds/clock.ts';
import { NO_DESCRIPTORS } from './kinds/connections.ts';
import { FLUSH_ERRORS, POWER_LOSS } from './kinds/disk-errors.ts';
import { DISK_IS_FULL } from './kinds/disk-full.ts';
import { STOPPED } from './kinds/processes.ts';
import { examineMachine, findObstacle } from './machine.ts';
import { runFaults } from './run-fault.ts';

const SEED = 20_261_125;

const directory = new TemporaryDirectory();
const machine = examineMachine(directory.path);
afterAll(() => directory[Symbol.dispose]());

const CASES = [
  ['[L6][L110] writes go on when a full disk has space again', DISK_IS_FULL],
  ['[L101][L110] writes go on when a disk that could not be flushed works again', FLUSH_ERRORS],
  ['[L110] a process that stood still goes on', STOPPED],
  ['[L110] clients that are connected are served while no more files can be opened', NO_DESCRIPTORS],
  ['[L111] sessions, tokens and timestamps survive a clock that jumps by a day', CLOCK_JUMPS],
  ['[L112] a power failure loses nothing that was acknowledged', POWER_LOSS],
] as const;

/** The faults that this machine can make. All of them happen to one server, because its start takes longest. */
const possible = CASES.map(([, fault]) => fault).filter(
  ({ needs }) => findObstacle(machine, needs) === undefined,
);

describe('a server under faults of its system', () => {
  const violations = new Map<string, readonly string[]>();
  beforeAll(async () => {
    const reports = await runFaults(possible, machine, {
      repeats: 1,
      random: new Random(SEED),
      isShort: true,
    });
    for (const [index, fault] of possible.entries())
      violations.set(fault.name, reports[index]?.violations ?? []);
  });

  test.for(CASES)('%s', ([, fault], { skip }) => {
    const obstacle = findObstacle(machine, fault.needs);
    if (obstacle !== undefined) skip(`this machine cannot make the fault: ${obstacle}`);
    expect(violations.get(fault.name)).toEqual([]);
  });
});
