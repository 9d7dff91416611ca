// The program of an attacker. It receives the target in its first message, ends the attack at the next, and then
// sends its counts.
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import type { Target } from '../network/target.ts';
import { SCENARIOS } from '../scenarios/table.ts';
import { CountingTally } from './tally.ts';

/** On the machine of the tests, attackers must not take processor time from the server: they have their own machines. */
const LOW_PRIORITY = 15;

/** Time at the end of an attack in which it counts its open connections, in ms. */
const GRACE_MS = 500;

const { positionals } = parseArgs({ allowPositionals: true });
const scenario = SCENARIOS.find(({ name }) => name === positionals[0]);
if (scenario === undefined) throw new Error(`Unknown scenario: ${positionals[0]}`);
setPriority(LOW_PRIORITY);

const ended = new AbortController();
const tally = new CountingTally();
process.once('disconnect', () => process.exit(1));
process.once('message', (target: Target) => {
  process.once('message', () => {
    ended.abort();
    setTimeout(() => send({ counts: tally.counts() }), GRACE_MS);
  });
  scenario.attack(target, ended.signal, tally).then(
    () => process.send?.({ isComplete: true }),
    (error: unknown) => send({ error: String(error) }),
  );
});
process.send?.({ ready: true });

/** Sends the last message, and ends the process with all its connections. */
function send(message: object): void {
  process.send?.(message, () => process.exit(0));
}
