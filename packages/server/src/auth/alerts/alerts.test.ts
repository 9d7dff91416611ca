import { expect, test } from 'vitest';
import { MAX_WAITING_OF_PROJECT } from '../../outbox/outbox.ts';
import { createLogger } from '../../platform/logger.ts';
import { createTestAuth } from '../create-test-auth.fixture.ts';
import { AlertWebhooks } from './alert-webhook.ts';
import { Alerts } from './alerts.ts';

const ORIGIN = 'https://hearth.example.com';
const logger = createLogger('silent', { write: () => undefined });
const PER_TRANSACTION = 50;
const SETTINGS = { thresholds: { denials: 5 }, mailsOwners: false, webhook: 'https://example.com/hook' };

/** Creates alerts of two projects whose figures have reached their thresholds. */
async function openAlerts(readDenials: (project: string) => number = () => 9) {
  const { services, audited } = createTestAuth();
  const send = async () => ({ status: 200, body: '' });
  const alerts = new Alerts({
    services,
    readFigures: (project) => ({ denials: readDenials(project), latency: 0, connections: 0, disk: 0 }),
    send,
    logger,
  });
  for (const project of ['first', 'second']) await alerts.change(project, SETTINGS, ORIGIN);
  const isRaised = (project: string) => alerts.read(project).alerts.map(({ isRaised: is }) => is);
  /** Fills the queue of a project. */
  const fill = async (project: string) => {
    const webhooks = new AlertWebhooks({
      services,
      send,
      logger,
      findTarget: () => undefined,
      onLost: () => undefined,
    });
    const message = { project, alert: 'denials', state: 'raised', value: 1, threshold: 1, atMs: 1 } as const;
    for (let count = 0; count < MAX_WAITING_OF_PROJECT; count += PER_TRANSACTION)
      await services.recordStore.change((transaction) => {
        for (let added = 0; added < PER_TRANSACTION; added++)
          webhooks.add(transaction, message, SETTINGS.webhook);
      });
  };
  return { alerts, audited, isRaised, fill };
}

test('[H892][H893] a project whose queue is full raises its alert, and delays no other project', async () => {
  const { alerts, audited, isRaised, fill } = await openAlerts();
  await fill('first');
  await alerts.tick();
  expect([isRaised('first'), isRaised('second')]).toEqual([[true], [true]]);
  const events = audited.map(({ event, projectId }) => `${event} ${projectId}`);
  expect(events).toContain('alert_lost first');
  expect(events).toContain('alert_raised first');
  expect(events).toContain('alert_raised second');
  expect(events).not.toContain('alert_lost second');
});

test('[H892] a project whose alerts cannot be evaluated delays no other project', async () => {
  const { alerts, isRaised } = await openAlerts((project) => {
    if (project === 'first') throw new Error('no figures');
    return 9;
  });
  await alerts.tick();
  expect([isRaised('first'), isRaised('second')]).toEqual([[false], [true]]);
});
