import axe from 'axe-core';
import { expect, test } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import type { AuthEvent } from '../relay/auth-event.ts';
import { LANGUAGES } from '../shell/document.ts';
import { mountPage } from '../shell/mounted-page.fixture.tsx';
import { loadMessages } from './messages/load.ts';
import { HANDLER_FIXTURES } from './page.fixtures.ts';
import { HandlerPage } from './page.tsx';
import { type HandlerPage as Page, parseHandlerParameters } from './parameters.ts';

const cases = Object.entries(HANDLER_FIXTURES).flatMap(([name, page]) =>
  (['en', 'ar'] as const).map((language) => ({ name, page, language })),
);

/** Delivers nothing. */
const neverDelivered = () => new Promise<never>(() => {});

test.each(cases)(
  '[I845] $name, $language: the heading is the page title, and there are no accessibility violations',
  async ({ page, language }) => {
    const messages = await loadMessages(language);
    await mountPage(language, <HandlerPage page={page} messages={messages} deliver={neverDelivered} />);
    const heading = browserPage.getByRole('heading', { level: 1 });
    await expect.element(heading).toBeVisible();
    await expect.poll(() => document.title).toBe(heading.element().textContent);
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false });
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  },
);

/** Shows the page with users of a provider, for an app that no longer waits. Returns the events that the page delivers. */
async function openChoice(): Promise<readonly AuthEvent[]> {
  const page = HANDLER_FIXTURES['known users'] as Page;
  const events: AuthEvent[] = [];
  const deliver = async (_app: unknown, event: AuthEvent) => {
    events.push(event);
    return { kind: 'problem', problem: 'lost' } as const;
  };
  await mountPage('en', <HandlerPage page={page} messages={await loadMessages('en')} deliver={deliver} />);
  return events;
}

test('[I840] a known user is delivered to the app with the claims that the server accepts in development mode', async () => {
  const events = await openChoice();
  await browserPage.getByRole('button', { name: 'Alice · alice@example.com' }).click();
  await expect
    .element(browserPage.getByRole('heading', { name: 'The app is no longer waiting' }))
    .toBeVisible();
  const [event] = events;
  expect(event).toMatchObject({ type: 'signInViaPopup', eventId: '1', sessionId: 'development' });
  const answer = new URL(event?.urlResponse ?? '').searchParams;
  expect(answer.get('providerId')).toBe('oidc.example');
  expect(JSON.parse(answer.get('id_token') ?? '')).toMatchObject({ sub: '1', email: 'alice@example.com' });
});

test('[I840] a new user may leave out the email address, but not enter an invalid one; Cancel sends an error of the SDK to the app', async () => {
  const events = await openChoice();
  const email = browserPage.getByLabelText('Email address (optional)');
  await email.fill('nobody');
  await browserPage.getByRole('button', { name: 'Sign in as a new user' }).click();
  await expect
    .element(browserPage.getByRole('alert').filter({ hasText: 'valid email address' }))
    .toBeVisible();
  await expect.element(email).toHaveFocus();
  expect(events).toEqual([]);
  await browserPage.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => events[0]?.error?.code).toBe('auth/user-cancelled');
});

test.each(LANGUAGES)('[I845] every text exists in %s', async (language) => {
  const { choose, delivered, delivering, problems } = await loadMessages(language);
  const texts = [
    choose.heading('Google'),
    choose.text('Google'),
    delivering,
    delivered.heading,
    delivered.text,
  ];
  const all = [...texts, ...Object.values(problems).flatMap(({ heading, text }) => [heading, text])];
  expect(all.filter((text) => text.trim() === '')).toEqual([]);
  expect(choose.heading('Google')).toContain('Google');
  const english = await loadMessages('en');
  if (language !== 'en')
    for (const name of Object.keys(problems) as (keyof typeof problems)[])
      expect(problems[name]).not.toEqual(english.problems[name]);
});

test('[I841] a page shows a problem if the address of the app is not a web address', () => {
  const app = { apiKey: 'k', appName: 'a', authType: 'signInViaPopup', redirectUrl: 'javascript:alert(1)' };
  const { page } = parseHandlerParameters({ page: { kind: 'choose', app, providerId: 'google.com' } });
  expect(page).toEqual({ kind: 'problem', problem: 'incomplete' });
});
