import type { Client } from '../client/client.ts';
import { pause, readClockMs } from '../measure/clock.ts';

const WRITE_EVERY_MS = 5;
const PLACES = 500;

/**
 * Small writes at a steady pace, whether or not the last one was answered, until `isDone` says so; returns the latency of each in ms.
 * Throws when one is refused.
 */
export async function measureWriteLatencies(
  client: Client,
  isDone: () => boolean,
): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  const unanswered: Promise<void>[] = [];
  for (let number = 0; !isDone(); number += 1) {
    unanswered.push(measureWrite(client, number, latenciesMs));
    await pause(WRITE_EVERY_MS);
  }
  await Promise.all(unanswered);
  return latenciesMs;
}

async function measureWrite(client: Client, number: number, latenciesMs: number[]): Promise<void> {
  const startedMs = readClockMs();
  await client.must('p', { p: `/other/place${number % PLACES}`, d: { n: number, by: 'another client' } });
  latenciesMs.push(readClockMs() - startedMs);
}
