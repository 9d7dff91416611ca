import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Secret } from '../../platform/secret-box.ts';
import { sealSignatureSecret } from '../../sms/driver.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { NUMBER } from './phone.fixture.ts';
import { SmsAdministration } from './sms-administration.ts';
import { SmsReceipts } from './sms-receipts.ts';
import { openWithService, PUBLIC_URL, TARGETS } from './sms-service.fixture.ts';

/** Starts a server to which services send receipts, until the end of the test. Returns its port. */
async function openReceiver(client: AuthClient): Promise<number> {
  const receipts = new SmsReceipts(client.services, () => PUBLIC_URL);
  const server = createServer((request, response) => {
    const [service = '', secret = ''] = (request.url ?? '').split('/').slice(-2);
    receipts.answer(request, response, { service, secret }).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Opens a client whose message Twilio has accepted, and a server to which Twilio sends receipts. */
async function openReceipts() {
  const received: string[] = [];
  const client = await openWithService('twilio', { status: 201, body: { sid: 'SM1' } }, received);
  await client.post('accounts:sendVerificationCode', { phoneNumber: NUMBER });
  const callback = new URLSearchParams(received[0]).get('StatusCallback') ?? '';
  const port = await openReceiver(client);
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

const SIGNATURE_SECRET = 'vonage-signs-with-this';

/** Returns the members of a receipt of Vonage with their signature. */
function signVonage(members: Readonly<Record<string, string>>, secret = SIGNATURE_SECRET) {
  const signed = Object.keys(members)
    .sort()
    .map((name) => `&${name}=${members[name]?.replace(/[&=]/g, '_')}`)
    .join('');
  return { ...members, sig: createHmac('sha256', secret).update(signed).digest('hex') };
}

test('[I802] Vonage reports if the project has its signature secret, as a form or as JSON', async () => {
  const received: string[] = [];
  const reply = { status: 200, body: { messages: [{ status: '0', 'message-id': 'V1' }] } };
  const client = await openWithService('vonage', reply, received);
  const send = (phoneNumber: string) => client.post('accounts:sendVerificationCode', { phoneNumber });
  await send(NUMBER);
  expect(JSON.parse(received[0] ?? '')).not.toHaveProperty('callback');
  await client.settings((settings) => {
    const { driver } = settings.sms;
    if (driver?.kind !== 'vonage') throw new Error('The driver is another one.');
    const sealedSignatureSecret = sealSignatureSecret(
      client.services.secretBox,
      driver,
      new Secret(SIGNATURE_SECRET),
    );
    return { ...settings, sms: { ...settings.sms, driver: { ...driver, sealedSignatureSecret } } };
  });
  client.clock.ms += 60_000;
  await send(NUMBER);
  const { callback } = JSON.parse(received[1] ?? '');
  expect(callback).toMatch(/^https:\/\/hearth\.example\.com\/__\/sms\/receipt\/vonage\/demo\.[\w-]{43}$/);
  const port = await openReceiver(client);
  const url = `http://127.0.0.1:${port}${callback.slice(PUBLIC_URL.length)}`;
  const report = async (body: string | URLSearchParams) =>
    (await fetch(url, { method: 'POST', body })).status;
  const receipt = { messageId: 'V1', status: 'delivered', msisdn: '16505550101', text: 'a&b=c' };
  expect(await report(new URLSearchParams(signVonage(receipt, 'other')))).toBe(403);
  expect(await report(JSON.stringify({ ...signVonage(receipt), status: 'failed' }))).toBe(403);
  expect(await report(new URLSearchParams(receipt))).toBe(403);
  const administration = new SmsAdministration(client.services);
  expect(administration.countries('demo')).toMatchObject([{ delivered: 0, failed: 0 }]);
  expect(await report(JSON.stringify(signVonage({ ...receipt, status: 'buffered' })))).toBe(204);
  for (let again = 0; again < 2; again++)
    expect(await report(new URLSearchParams(signVonage(receipt)))).toBe(204);
  expect(administration.countries('demo')).toMatchObject([{ country: 'US', delivered: 1, failed: 0 }]);
});

test('[I802] the signature secret is never returned, stays with the account, and is removed by an empty text', async () => {
  const client = await AuthClient.open();
  const path = 'notification.sendSms.hearth.driver';
  const update = async (driver: object) => {
    const { json, text, error } = await client.request(
      'PATCH',
      `/v2/projects/demo/config?updateMask=${path}`,
      JSON.stringify({ notification: { sendSms: { hearth: { driver } } } }),
      { authorization: 'Bearer owner' },
    );
    return { driver: Object(json['notification']).sendSms?.hearth?.driver, text, error };
  };
  const account = { type: 'VONAGE', apiKey: 'key', from: 'Chess' };
  const set = await update({ ...account, secret: 's3cret', signatureSecret: SIGNATURE_SECRET });
  expect(set.driver).toEqual({ ...account, hasSignatureSecret: true });
  expect(set.text).not.toContain(SIGNATURE_SECRET);
  expect((await update(account)).driver).toEqual({ ...account, hasSignatureSecret: true });
  expect((await update({ ...account, signatureSecret: '' })).driver).toEqual(account);
  const other = { type: 'WEBHOOK', url: 'https://sms.example.com', secret: 'c2VjcmV0', signatureSecret: 'x' };
  expect((await update(other)).error).toMatch(/^INVALID_CONFIG : .*signatureSecret/);
});
