import { MAIL_KINDS, type MailKind, VARIABLES_OF } from '@hearth/core/api/mail-kinds.ts';
import { expect, test } from 'vitest';
import { hasLink, type MailEvent } from './event.ts';
import { type MailRequest, type MailStyle, renderMail, TEMPLATES } from './render.ts';
import { directionOf, LANGUAGES, type Language } from './templates/language.ts';

const LINK = 'https://auth.example.com/__/auth/action?mode=x&oobCode=c0de&lang=en';

const VALUES = {
  APP_NAME: 'Chess & Friends',
  DISPLAY_NAME: 'Ada',
  EMAIL: 'ada@example.com',
  NEW_EMAIL: 'lovelace@example.com',
  LINK,
};

/** The values in a language. All links work for three days. */
function valuesIn(language: Language) {
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return { ...VALUES, VALID_FOR: days.format(3) };
}

const STYLE: MailStyle = {
  appName: VALUES.APP_NAME,
  senderAddress: 'noreply@example.com',
  templates: {},
};

function eventOf(kind: MailKind, displayName?: string): MailEvent {
  const name = displayName === undefined ? {} : { displayName };
  const { EMAIL: email, NEW_EMAIL: newEmail } = VALUES;
  switch (kind) {
    case 'changeEmail':
      return { kind, newEmail, link: LINK, ...name };
    case 'recoverEmail':
      return { kind, email, newEmail, link: LINK, ...name };
    case 'secondFactorRemoved':
    case 'recoveryCodesMade':
    case 'recoveryCodeUsed':
    case 'passwordChanged':
    case 'phoneNumberChanged':
    case 'passkeyAdded':
    case 'passkeyRemoved':
    case 'emailInUse':
      return { kind, email, ...name };
    default:
      return { kind, email, link: LINK, ...name };
  }
}

function render(kind: MailKind, changes: Partial<MailRequest> = {}) {
  return renderMail({
    project: 'demo',
    style: STYLE,
    language: 'en',
    to: VALUES.EMAIL,
    event: eventOf(kind, VALUES.DISPLAY_NAME),
    ...(hasLink(kind) ? { linkLifetimeMs: 3 * 24 * 3_600_000 } : {}),
    ...changes,
  });
}

const EVERY_MAIL = LANGUAGES.flatMap((language) => MAIL_KINDS.map((kind) => [language, kind] as const));

test.each(EVERY_MAIL)(
  '[I130] in %s, the mail %s contains the values of all its variables',
  (language, kind) => {
    const { subject, text, html, from } = render(kind, { language });
    for (const variable of VARIABLES_OF[kind]) {
      const value = valuesIn(language)[variable];
      expect(text).toContain(value);
      expect(html).toContain(value.replaceAll('&', '&amp;'));
    }
    expect(subject).toContain(VALUES.APP_NAME);
    expect(from).toEqual({ name: VALUES.APP_NAME, address: 'noreply@example.com' });
    for (const part of [subject, text, html]) expect(part).not.toContain('%');
  },
);

test.each(EVERY_MAIL)('[I130] in %s, the mail %s greets a user without a name', (language, kind) => {
  const { text } = render(kind, { language, event: eventOf(kind) });
  expect(text.startsWith(`${TEMPLATES[language].namelessGreeting}\n`)).toBe(true);
  expect(text).not.toContain('%');
});

test('[I130] all mails of a language have different subjects, and all are translated', () => {
  const subjects = EVERY_MAIL.map(([language, kind]) => TEMPLATES[language].mails[kind].subject);
  expect(new Set(subjects).size).toBe(LANGUAGES.length * MAIL_KINDS.length);
  const labels = LANGUAGES.flatMap((language) => TEMPLATES[language].mails.verifyEmail.button);
  expect(new Set(labels).size).toBe(LANGUAGES.length);
});

test.each(EVERY_MAIL)('[I130][I132] in %s, the mail %s has a link if its kind has one', (language, kind) => {
  const { html, link, text } = render(kind, { language });
  const escaped = LINK.replaceAll('&', '&amp;');
  expect(html.split(`href="${escaped}"`)).toHaveLength(hasLink(kind) ? 3 : 1);
  expect(text.includes(`\n${LINK}\n`)).toBe(hasLink(kind));
  expect(link).toBe(hasLink(kind) ? LINK : undefined);
  expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).not.toMatch(/<script|<img|<link|\son\w+=/i);
});

test.each([
  [3_600_000, 'The link works for 1 hour.'],
  [6 * 3_600_000, 'The link works for 6 hours.'],
  [30 * 24 * 3_600_000, 'The link works for 30 days.'],
])('[I1592] a mail whose link works for %i ms says so', (linkLifetimeMs, sentence) => {
  expect(render('resetPassword', { linkLifetimeMs }).text).toContain(`\n${sentence}\n`);
  expect(render('resetPassword', { linkLifetimeMs, language: 'de' }).text).toMatch(
    / (Stunden?|Tage) gültig\./,
  );
});

test('[I1593] the button of a mail has the color of the app', () => {
  expect(render('verifyEmail').html).toContain('background-color:#a83c0c');
  const { html } = render('verifyEmail', { style: { ...STYLE, buttonColor: '#006644' } });
  expect(html).toContain('color:#ffffff;font-weight:600;text-decoration:none;background-color:#006644"');
});

test('[I132] Arabic mails are right-to-left, and the addresses in them are left-to-right', () => {
  const { html } = render('verifyEmail', { language: 'ar' });
  expect(html).toContain('dir="rtl"');
  expect(html).toContain('<span dir="auto">ada@example.com</span>');
  expect(html).toMatch(/<a href="https:[^"]*" dir="ltr"/);
});

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['"><img src=x>', '&quot;&gt;&lt;img src=x&gt;'],
  ["O'Neil & <b>", 'O&#39;Neil &amp; &lt;b&gt;'],
  ['%LINK% %EMAIL%', '%LINK% %EMAIL%'],
])('[I131] the name %s is escaped in HTML only', (displayName, escaped) => {
  const { html, text, subject } = render('verifyEmail', { event: eventOf('verifyEmail', displayName) });
  expect(html).toContain(`Hello <span dir="auto">${escaped}</span>,`);
  expect(text).toContain(`Hello ${displayName},`);
  expect(subject).toBe('Verify your email address for Chess & Friends');
});

test('[I131] addresses are escaped in HTML', () => {
  const event: MailEvent = { kind: 'passwordChanged', email: '"<b>"@example.com' };
  expect(render('passwordChanged', { event }).html).toContain('&quot;&lt;b&gt;&quot;@example.com');
});

test('[I131] the name of an app is reduced to one line', () => {
  const style = { ...STYLE, appName: 'Chess\r\nBcc: eve@example.com' };
  const { subject, from } = render('verifyEmail', { style });
  expect(subject).toBe('Verify your email address for Chess Bcc: eve@example.com');
  expect(from.name).toBe('Chess Bcc: eve@example.com');
});

test('[I133] a project’s template for one language replaces the default fields that it contains, in that language', () => {
  const style: MailStyle = {
    ...STYLE,
    senderName: 'Everyone at %APP_NAME%',
    replyTo: 'help@example.com',
    templates: {
      verifyEmail: {
        en: {
          subject: 'Welcome to %APP_NAME%',
          senderName: 'Chess',
          replyTo: 'verify@example.com',
          body: { kind: 'text', text: 'Hi <%DISPLAY_NAME%>!\n\nClick\n%LINK%\n' },
        },
        de: { subject: 'Willkommen' },
      },
    },
  };
  const english = render('verifyEmail', { style });
  expect(english.subject).toBe('Welcome to Chess & Friends');
  expect(english.from.name).toBe('Chess');
  expect(english.replyTo).toBe('verify@example.com');
  expect(english.text).toBe(`Hi <Ada>!\n\nClick\n${LINK}\n`);
  expect(english.html).toContain('Hi &lt;<span dir="auto">Ada</span>&gt;!');
  expect(english.html).toContain('Click<br><a href="https://auth.example.com/');

  const german = render('verifyEmail', { style, language: 'de' });
  expect(german.subject).toBe('Willkommen');
  expect(german.from.name).toBe('Everyone at Chess & Friends');
  expect(german.replyTo).toBe('help@example.com');
  expect(german.text).toContain('Bitte bestätigen Sie');

  expect(render('resetPassword', { style }).subject).toBe('Reset your password for Chess & Friends');
});

test('[I133] an HTML body is sent next to the default text, with escaped values', () => {
  const html = '<p>%DISPLAY_NAME%</p><a href="%LINK%">%APP_NAME%</a>';
  const style: MailStyle = {
    ...STYLE,
    templates: { verifyEmail: { en: { body: { kind: 'html', html } } } },
  };
  const mail = render('verifyEmail', { style, event: eventOf('verifyEmail', 'A"<b>') });
  expect(mail.html).toBe(
    `<p>A&quot;&lt;b&gt;</p><a href="${LINK.replaceAll('&', '&amp;')}">Chess &amp; Friends</a>`,
  );
  expect(mail.text).toContain(`Verify email address:\n${LINK}\n`);
});
