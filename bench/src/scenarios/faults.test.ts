import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../../../scripts/random.ts';
import { HOSTILE_READERS } from '../faults/kinds/connections.ts';
import { DAMAGED_PAGE } from '../faults/kinds/damaged-page.ts';
import { LYING_DISK, READ_ERRORS, WRITE_ERRORS } from '../faults/kinds/disk-errors.ts';
import { SECOND_PROCESS } from '../faults/kinds/processes.ts';
import { examineMachine, findObstacle } from '../faults/machine.ts';
import { runFaults } from '../faults/run-fault.ts';
import { TemporaryDirectory } from '../measure/directory.ts';

const SEED = 20_261_125;

const directory = new TemporaryDirectory();
const machine = examineMachine(directory.path);
afterAll(() => directory[Symbol.dispose]());

async function findViolations(fault: typeof SECOND_PROCESS, repeats: number): Promise<readonly string[]> {
  const reports = await runFaults([fault], machine, { repeats, random: new Random(SEED), isShort: true });
  return reports.flatMap(({ violations }) => violations);
}

describe('a server under faults of its system', () => {
  test.for([
    ['[L110] a second process leaves the directory of the first alone, and says why', SECOND_PROCESS],
    ['[L110] slow and hostile readers keep nothing from the others', HOSTILE_READERS],
    ['[L101][L110] writes go on when a disk that could not be written works again', WRITE_ERRORS],
    ['[L113] a read error ends the process, and nothing is lost', READ_ERRORS],
  ] as const)('%s', async ([, fault], { skip }) => {
    const obstacle = findObstacle(machine, fault.needs);
    if (obstacle !== undefined) skip(`this machine cannot make the fault: ${obstacle}`);
    expect(await findViolations(fault, 2)).toEqual([]);
  });
});

test('[L114] doctor reports a damaged page because of which a server serves other data', async () => {
  const violations = await findViolations(DAMAGED_PAGE, 3);
  expect(violations.filter((text) => !text.includes('doctor reports it'))).toEqual([]);
});

describe('the check itself', () => {
  test('[L112] detects that a disk which ignores flushes loses acknowledged writes', async ({ skip }) => {
    const obstacle = findObstacle(machine, LYING_DISK.needs);
    if (obstacle !== undefined) skip(`this machine cannot make the fault: ${obstacle}`);
    expect(await findViolations(LYING_DISK, 5)).not.toEqual([]);
  });
});
