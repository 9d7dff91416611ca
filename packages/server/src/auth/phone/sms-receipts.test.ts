import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NUMBER } from './phone.fixture.ts';
import { SmsAdministration } from './sms-administration.ts';
import { SmsReceipts } from './sms-receipts.ts';
import { openWithService, PUBLIC_URL, TARGETS } from './sms-service.fixture.ts';

/** Opens a client whose message Twilio has accepted, and a server to which Twilio sends receipts. */
async function openReceipts() {
  const received: string[] = [];
  const client = await openWithService('twilio', { status: 201, body: { sid: 'SM1' } }, received);
  await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  const callback = new URLSearchParams(received[0]).get('StatusCallback') ?? '';
  const receipts = new SmsReceipts(client.services, () => PUBLIC_URL);
  const server = createServer((request, response) => {
    const secret = (request.url ?? '').split('/').at(-1) ?? '';
    receipts.answer(request, response, { secret }).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const administration = new SmsAdministration(client.services);
  await vi.waitFor(() => expect(administration.countries('demo')).toHaveLength(1));
  return {
    client,
    callback,
    countries: () => administration.countries('demo'),
    async report(form: Record<string, string>, { token = 's3cret', url = callback } = {}): Promise<number> {
      const signed = Object.keys(form)
        .sort()
        .reduce((text, name) => text + name + form[name], url);
      const { status } = await fetch(`http://127.0.0.1:${port}${url.slice(PUBLIC_URL.length)}`, {
        method: 'POST',
        headers: { 'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64') },
        body: new URLSearchParams(form),
      });
      return status;
    },
  };
}

test('[I800] a signed receipt is counted for the country of the message, once', async () => {
  const { report, countries, callback } = await openReceipts();
  expect(callback).toMatch(/^https:\/\/hearth\.example\.com\/__\/sms\/receipt\/twilio\/demo\.[\w-]{43}$/);
  expect(await report({ MessageSid: 'SM1', MessageStatus: 'sent' })).toBe(204);
  expect(countries()).toMatchObject([{ delivered: 0 }]);
  for (let again = 0; again < 2; again++)
    expect(await report({ MessageSid: 'SM1', MessageStatus: 'delivered' })).toBe(204);
  expect(await report({ MessageSid: 'SM2', MessageStatus: 'delivered' })).toBe(204);
  expect(countries()).toMatchObject([{ country: 'US', accepted: 1, delivered: 1, failed: 0 }]);
});

test('[I800] a message that was not delivered is counted as failed', async () => {
  const { report, countries } = await openReceipts();
  await report({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' });
  expect(countries()).toMatchObject([{ delivered: 0, failed: 1 }]);
});

test('[I800] a receipt with a wrong signature or secret, or for another service, is rejected', async () => {
  const { client, report, countries, callback } = await openReceipts();
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
  expect(await report(form, { token: 'other' })).toBe(403);
  const other = callback.endsWith('A') ? 'B' : 'A';
  expect(await report(form, { url: `${callback.slice(0, -1)}${other}` })).toBe(403);
  expect(await report(form, { url: callback.replace('demo.', 'shop.') })).toBe(403);
  expect(await report(form, { url: `${PUBLIC_URL}/__/sms/receipt/twilio/demo` })).toBe(403);
  await client.settings((settings) => ({
    ...settings,
    sms: { ...settings.sms, driver: { ...TARGETS.vonage(), sealedSecret: '' } },
  }));
  expect(await report(form)).toBe(403);
  expect(countries()).toMatchObject([{ delivered: 0 }]);
});
