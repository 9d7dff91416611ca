import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forEachOf, pause } from '../attack/tools.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Scenario } from './scenario.ts';

/** Number of connections at which the project has an alert. The crowd has fewer. */
const THRESHOLD = 60;
const CONNECTIONS = 150;
/** Longer than the interval at which the server compares figures with thresholds, in ms. */
const PHASE_MS = 12_000;

/** The messages that the webhook has received from each server. */
const received = new WeakMap<Hearth, string[]>();

/** Sets an alert whose messages go to a webhook. */
async function watchConnections(hearth: Hearth): Promise<void> {
  const messages: string[] = [];
  received.set(hearth, messages);
  const webhook = createServer((request, response) => {
    request.on('data', (part: Buffer) => messages.push(part.toString()));
    request.on('end', () => response.end());
  }).unref();
  webhook.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  await hearth.administer('PUT', `/api/projects/${hearth.target.projectId}/alerts`, {
    thresholds: { connections: THRESHOLD },
    mailsOwners: true,
    webhook: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`,
  });
}

/** Attacks on the alerts of a project. */
export const ALERT_SCENARIOS: readonly Scenario[] = [
  {
    name: 'alerts that are raised and end again and again',
    attacker: `opens ${CONNECTIONS} connections, more than an alert of the project allows, and closes them, twice`,
    bound: 'an alert sends at most one message in an hour',
    args: ['--allow-private-hooks'],
    lastsUntilComplete: true,
    prepare: watchConnections,
    attack: async (target, signal, tally) => {
      for (let round = 0; round < 2 && !signal.aborted; round++) {
        const clients: RealtimeClient[] = [];
        await forEachOf(CONNECTIONS, 10, signal, async (index) => {
          const client = await RealtimeClient.open(target, { side: 'attacker', host: index % 4 });
          if (client === undefined) return;
          clients.push(client);
          tally.add('connected');
        });
        await pause(PHASE_MS, signal);
        for (const client of clients) client.close();
        await pause(PHASE_MS, signal);
      }
    },
    checkCounts: (counts) =>
      (counts['connected'] ?? 0) >= 2 * THRESHOLD ? [] : ['The attack did not raise the alert twice.'],
    checkServer: async (hearth) => {
      const messages = received.get(hearth) ?? [];
      return messages.length === 1 ? [] : [`The webhook got ${messages.length} messages.`];
    },
    proof: [
      {
        file: 'alerts/alert-step.ts',
        from: 'MESSAGE_INTERVAL_MS = 3_600_000;',
        to: 'MESSAGE_INTERVAL_MS = 0;',
      },
    ],
  },
];
