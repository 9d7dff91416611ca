import { MAIL_KINDS } from '@hearth/core/api/mail-kinds.ts';
import { expect, test } from 'vitest';
import { openDevelopment } from './development.fixture.ts';

/** Creates a project with its own template for one mail. Returns a function that requests previews. */
async function openProject() {
  const ask = await openDevelopment();
  const templates = { resetPassword: { fr: { subject: 'Le mot de passe de %APP_NAME%' } } };
  await ask('PATCH', '/v2/projects/demo/config?updateMask=notification', {
    notification: { sendEmail: { hearth: { appName: 'Shop', templates } } },
  });
  return (body: object) => ask('POST', '/api/projects/demo/mail/preview', body);
}

test.each(MAIL_KINDS)(
  '[H486] a preview of %s has the sender name of the project, and values instead of placeholders',
  async (mail) => {
    const preview = await openProject();
    const { status, json } = await preview({ mail, to: 'bob@example.com' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ from: { name: 'Shop' }, replyTo: null });
    expect(String(json['html'])).not.toMatch(/%[A-Z_]+%/);
    expect(json['text']).toContain('bob@example.com');
  },
);

test('[H486] a preview has the requested language and the text of the project', async () => {
  const preview = await openProject();
  expect((await preview({ mail: 'resetPassword', language: 'fr' })).json['subject']).toBe(
    'Le mot de passe de Shop',
  );
  expect((await preview({ mail: 'resetPassword', language: 'de' })).json['subject']).toContain('Shop');
});

test("[H487] a template in the request replaces the project's", async () => {
  const preview = await openProject();
  const template = { subject: 'Back to %APP_NAME%', body: { kind: 'text', text: 'Here: %LINK%' } };
  const { json } = await preview({ mail: 'resetPassword', language: 'fr', template });
  expect(json).toMatchObject({ subject: 'Back to Shop', text: expect.stringMatching(/^Here: http/) });
});

test.each([
  [
    { mail: 'resetPassword', template: { body: { kind: 'text', text: 'No way back' } } },
    'body needs %LINK%.',
  ],
  [{ mail: 'resetPassword', template: { subject: '%EMAIL%' } }, 'subject must not contain %EMAIL%'],
  [{ mail: 'newsletter' }, '"mail" must be one of'],
  [{ color: 'red' }, 'no fields other than'],
])('[H488] a request for a preview of %j is rejected with the reason', async (body, sentence) => {
  const preview = await openProject();
  const { status, json } = await preview(body);
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: expect.stringContaining(sentence) });
});
