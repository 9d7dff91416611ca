import { expect, test } from 'vitest';
import { InvalidMailTemplates, parseMailTemplates } from './template.ts';

const BODY = { kind: 'text', text: 'Go to %LINK%' };

test.each([
  [undefined],
  [{}],
  [{ verifyEmail: { en: {}, ar: { subject: 'مرحبًا %APP_NAME%' } } }],
  [{ resetPassword: { fr: { senderName: 'Échecs', replyTo: 'a@b.example', body: BODY } } }],
  [{ passwordChanged: { de: { body: { kind: 'text', text: 'Hallo %DISPLAY_NAME%, %EMAIL%' } } } }],
  [{ recoverEmail: { en: { body: { kind: 'html', html: '<a href="%LINK%">%EMAIL% > %NEW_EMAIL%</a>' } } } }],
  [{ verifyEmail: { en: { body: { kind: 'text', text: '100% of %UNKNOWN% at %LINK%' } } } }],
])('[I133] %j is valid', (json) => {
  expect(parseMailTemplates(json)).toEqual(json ?? {});
});

test.each<readonly [unknown, string]>([
  [5, 'Use an object with any of verifyEmail'],
  [{ verify: {} }, 'verify is unknown. Use one of verifyEmail'],
  [{ verifyEmail: { it: {} } }, 'verifyEmail.it is unknown. Use one of en, es'],
  [{ verifyEmail: { en: null } }, 'verifyEmail.en: Use an object.'],
  [{ verifyEmail: { en: { title: 'x' } } }, 'verifyEmail.en: title is unknown'],
  [{ verifyEmail: { en: { subject: '' } } }, 'subject must be one line of 1 to 200'],
  [{ verifyEmail: { en: { subject: 'x'.repeat(201) } } }, 'subject must be one line of 1 to 200'],
  [{ verifyEmail: { en: { subject: 'a\r\nBcc: b@c.example' } } }, 'subject must be one line of 1 to 200'],
  [
    { verifyEmail: { en: { subject: 'For %DISPLAY_NAME%' } } },
    'subject must not contain %DISPLAY_NAME%. Allowed: %APP_NAME%.',
  ],
  [{ verifyEmail: { en: { senderName: 'For %EMAIL%' } } }, 'senderName must not contain %EMAIL%'],
  [{ verifyEmail: { en: { replyTo: 'a@b, c@d' } } }, 'replyTo must be one email address.'],
  [{ verifyEmail: { en: { body: 'text' } } }, 'body must be {"kind":"text"'],
  [{ verifyEmail: { en: { body: { kind: 'text', html: 'x' } } } }, 'body must be {"kind":"text"'],
  [{ verifyEmail: { en: { body: { kind: 'text', text: 'x'.repeat(50_001) } } } }, '1 to 50000 characters'],
  [{ verifyEmail: { en: { body: { kind: 'text', text: 'Hello' } } } }, 'body needs %LINK%.'],
  [{ passwordChanged: { en: { body: BODY } } }, 'body must not contain %LINK%. Allowed: %APP_NAME%'],
  [
    { changeEmail: { en: { body: { kind: 'text', text: '%EMAIL% %LINK%' } } } },
    'body must not contain %EMAIL%',
  ],
  [
    { verifyEmail: { en: { body: { kind: 'html', html: '<a href=%LINK%>x</a>' } } } },
    'Put it between quotes, as in href="%LINK%".',
  ],
  [
    {
      verifyEmail: {
        en: { body: { kind: 'html', html: '<a title="a>b" href=\'x\' alt=%DISPLAY_NAME%>%LINK%' } },
      },
    },
    'Put it between quotes',
  ],
])('[I133] %j is invalid', (json, problem) => {
  expect(() => parseMailTemplates(json)).toThrow(InvalidMailTemplates);
  expect(() => parseMailTemplates(json)).toThrow(problem);
});

test('[I133] every problem is reported', () => {
  const json = { verifyEmail: { en: { subject: '', replyTo: '' }, xx: {} }, nothing: {} };
  try {
    parseMailTemplates(json);
    expect.unreachable();
  } catch (error) {
    expect(error instanceof InvalidMailTemplates ? error.problems : []).toHaveLength(4);
  }
});
