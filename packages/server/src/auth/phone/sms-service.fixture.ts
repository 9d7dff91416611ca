import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { OutboxWorker } from '../../outbox/worker.ts';
import { createLogger } from '../../platform/logger.ts';
import { Secret } from '../../platform/secret-box.ts';
import { SMS_LIMITS } from '../../sms/budgets.ts';
import { type DriverTarget, type SmsDriver, sealSmsSecret } from '../../sms/driver.ts';
import { createSmsSend } from '../../sms/http-send.ts';
import { SMS_POLL_MS } from '../../sms/queue.ts';
import { SmsSenders } from '../../sms/senders.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { smsReceiptUrl } from './sms-receipts.ts';
import { auditLostSms, reportSmsResult } from './sms-results.ts';

/** The URL at which services reach the server. */
export const PUBLIC_URL = 'https://hearth.example.com';

/** The answer of the fake service. */
export interface ServiceReply {
  readonly status: number;
  readonly body?: object;
}

/** The drivers of a project that send through the fake service at `origin`. */
export const TARGETS = {
  twilio: () => ({ kind: 'twilio', accountSid: 'AC1', apiKeySid: null, from: '+15005550006' }),
  vonage: () => ({ kind: 'vonage', apiKey: 'key', from: 'Chess' }),
  webhook: (origin: string) => ({ kind: 'webhook', url: `${origin}/sms`, sendsCode: false }),
} as const satisfies Readonly<Record<string, (origin: string) => DriverTarget & object>>;

/**
 * Opens a client of a server that sends messages through a service which answers each with `reply`, and adds their bodies
 * to `received`.
 */
export async function openWithService(
  kind: keyof typeof TARGETS,
  reply: ServiceReply,
  received: string[] = [],
) {
  const service = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push(Buffer.concat(chunks).toString());
    response.writeHead(reply.status).end(JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void service.close());
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const client = await AuthClient.open(unsignedTokenServices, {
    isDevelopment: false,
    smsLimits: SMS_LIMITS,
  });
  const { services, clock } = client;
  const target = TARGETS[kind](origin);
  const driver = {
    ...target,
    sealedSecret: sealSmsSecret(services.secretBox, target, new Secret('s3cret')),
  } as SmsDriver;
  await client.settings((settings) => ({
    ...settings,
    sms: { ...settings.sms, driver, regions: { kind: 'only', countries: ['US'] }, appProof: 'THROTTLED' },
  }));
  const logger = createLogger('info', { write: () => undefined });
  const senders = new SmsSenders({
    box: services.secretBox,
    send: createSmsSend(undefined),
    findDriver: (project) => services.projects.find(project)?.settings.sms.driver ?? undefined,
    receiptUrlOf: (driver, { project }) =>
      smsReceiptUrl(services.phones.receiptKey, PUBLIC_URL, project, driver),
    onResult: (message, result) => reportSmsResult(services, logger, message, result),
    endpoints: { twilio: origin, vonage: origin },
  });
  const worker = new OutboxWorker({
    outbox: services.phones.outbox,
    findSender: (project) => senders.find(project),
    noun: 'a text message',
    pollMs: SMS_POLL_MS,
    clock,
    logger,
    onGivenUp: (message, failure) => auditLostSms(services, message, failure),
  });
  worker.start();
  services.phones.outcomes.open();
  onTestFinished(() => worker[Symbol.asyncDispose]());
  return client;
}
