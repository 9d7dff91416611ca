// The program of an attacker. It receives the target in its first message, ends the attack at the next, and then
// sends its counts.
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import type { Target } from '../network/target.ts';
import { SCENARIOS } from '../scenarios/table.ts';

/** On the machine of the tests, attackers must not take processor time from the server: they have their own machines. */
const LOW_PRIORITY = 15;

const { positionals } = parseArgs({ allowPositionals: true });
const scenario = SCENARIOS.find(({ name }) => name === positionals[0]);
if (scenario === undefined) throw new Error(`Unknown scenario: ${positionals[0]}`);
setPriority(LOW_PRIORITY);

const ended = new AbortController();
process.once('disconnect', () => process.exit(1));
process.once('message', (target: Target) => {
  process.once('message', () => ended.abort());
  void scenario.attack(target, ended.signal).then(
    (counts) => process.send?.({ counts }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.exit(1)),
  );
});
process.send?.({ ready: true });
