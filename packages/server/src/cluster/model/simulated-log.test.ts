import { expect, test } from 'vitest';
import { replicatedLogContract } from '../log.contract.ts';
import type { AppendOutcome } from '../replicated-log.ts';
import { Choices } from './choices.ts';
import { NO_FAULTS, SimulatedServers } from './simulated-log.ts';
import { VirtualTime } from './virtual-time.ts';

replicatedLogContract('simulated', async () => {
  const time = new VirtualTime();
  // Without delays, messages of one connection arrive in order.
  const servers = new SimulatedServers(time, new Choices(1), { ...NO_FAULTS, delayMs: 0 });
  let untilMs = 0;
  return {
    connect: async () => servers.connect(),
    wait: async () => {
      untilMs += 1;
      time.runUntil(() => false, untilMs);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
});

test.each([
  ['a lost request', { lostRequest: 1 }, 0],
  ['a lost response', { lostResponse: 1 }, 1],
])('[D1] after %s the outcome is unknown', (_name, faults, stored) => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), { ...NO_FAULTS, ...faults });
  const outcomes: AppendOutcome[] = [];
  servers.connect().append(0, Buffer.from('a'), (outcome) => outcomes.push(outcome));
  time.runUntil(() => false, 5_000);
  expect(outcomes).toEqual([{ kind: 'unknown' }]);
  expect(servers.messages.length).toBe(stored);
});

test('[D1] a request that arrives twice fills one slot', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), { ...NO_FAULTS, doubled: 1 });
  servers.connect().append(0, Buffer.from('a'), () => undefined);
  time.runUntil(() => false, 5_000);
  expect(servers.messages.map(String)).toEqual(['a']);
});

test('[D1] while the servers elect a leader, requests wait and their outcome is unknown', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const outcomes: AppendOutcome[] = [];
  servers.killLeader(3_000);
  servers.connect().append(0, Buffer.from('a'), (outcome) => outcomes.push(outcome));
  time.runUntil(() => false, 2_000);
  expect([outcomes, servers.messages.length]).toEqual([[{ kind: 'unknown' }], 0]);
  time.runUntil(() => false, 5_000);
  expect(servers.messages.map(String)).toEqual(['a']);
});
