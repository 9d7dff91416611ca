import { expect, test } from 'vitest';
import { Random } from '../../../scripts/random.ts';
import { isRecord } from '../client/json.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { pause } from '../measure/time.ts';
import { HEARTH, HEARTH_COMMAND, runCommand } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';

const ROUNDS = 4;
const CLIENTS = 4;
/**
 * Minimum number of acknowledged sign-ups in each round before the server is killed at a random moment. One of the
 * accounts must be left by then.
 */
const LEAST_ACKNOWLEDGED = 6;
const LONGEST_WAIT_MS = 300;
const PASSWORD = 'password';

/** The accounts of all clients, by what the server acknowledged. Addresses are never reused. */
interface Known {
  readonly existing: Set<string>;
  readonly deleted: Set<string>;
  /** Addresses with unknown state, because the server was killed during their requests. */
  readonly open: Set<string>;
  /** The number of acknowledged sign-ups. */
  acknowledged: number;
}

test('[I533] after a kill at any moment, the server has every acknowledged account, and no part of another', async () => {
  using directory = new TemporaryDirectory();
  const random = new Random(20_261_121);
  const known: Known = { existing: new Set(), deleted: new Set(), open: new Set(), acknowledged: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const server = await ServerProcess.start(HEARTH, directory.path);
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      useAccounts(server.port, `r${round}c${client}`, known),
    );
    const before = { acknowledged: known.acknowledged, existing: known.existing.size };
    while (
      known.acknowledged < before.acknowledged + LEAST_ACKNOWLEDGED ||
      known.existing.size === before.existing
    )
      await pause(5);
    await pause(random.below(LONGEST_WAIT_MS));
    await server.kill();
    await Promise.all(clients);
    const doctor = await runCommand(HEARTH_COMMAND, ['doctor', '--data', directory.path]).ended;
    expect(doctor, doctor.output).toMatchObject({ code: 0 });
    const again = await ServerProcess.start(HEARTH, directory.path);
    try {
      for (const email of sample(known.existing, 10))
        expect(await statusOf(again.port, email), email).toBe(200);
      for (const email of sample(known.deleted, 10))
        expect(await statusOf(again.port, email), email).toBe(400);
      for (const email of sample(known.open, 10))
        expect([200, 400]).toContain(await statusOf(again.port, email));
    } finally {
      await again.kill();
    }
  }
  expect(known.existing.size).toBeGreaterThanOrEqual(ROUNDS);
  expect(known.deleted.size).toBeGreaterThan(0);
}, 600_000);

/** Creates accounts, and changes or deletes some of them, until the server is killed. */
async function useAccounts(port: number, name: string, known: Known): Promise<void> {
  for (let n = 0; ; n++) {
    const email = `${name}n${n}@example.com`;
    known.open.add(email);
    try {
      const account = await post(port, 'signUp', { email, password: PASSWORD });
      known.acknowledged += 1;
      known.open.delete(email);
      known.existing.add(email);
      if (n % 3 === 0) {
        known.existing.delete(email);
        known.open.add(email);
        await post(port, 'delete', { idToken: account['idToken'] });
        known.open.delete(email);
        known.deleted.add(email);
      } else if (n % 3 === 1) {
        const other = `other-${email}`;
        known.existing.delete(email);
        known.open.add(email).add(other);
        await post(port, 'update', { idToken: account['idToken'], email: other });
        known.open.delete(email);
        known.open.delete(other);
        known.deleted.add(email);
        known.existing.add(other);
      }
    } catch {
      return;
    }
  }
}

async function post(port: number, method: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/accounts:${method}?key=k`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const json: unknown = await answer.json();
  if (!answer.ok || !isRecord(json)) throw new Error(`${method}: ${answer.status}`);
  return json;
}

async function statusOf(port: number, email: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/accounts:signInWithPassword?key=k`, {
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function sample(emails: ReadonlySet<string>, count: number): readonly string[] {
  return [...emails].slice(-count);
}
