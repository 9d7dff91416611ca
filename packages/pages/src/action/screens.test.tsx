import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { mountPage } from '../shell/mounted-page.fixture.tsx';
import { ActionView } from './page.tsx';
import { ACTION_FIXTURES } from './screen.fixtures.ts';
import { loadTexts } from './texts.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    preferColorScheme: (scheme: 'light' | 'dark') => Promise<void>;
  }
}

const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ar'] as const;
/** In dark mode, only the colors differ, so only the contrast is checked again. */
const CHECKED: Readonly<Record<(typeof SCHEMES)[number], axe.RunOptions>> = {
  light: { resultTypes: ['violations'], preload: false },
  dark: {
    resultTypes: ['violations'],
    preload: false,
    runOnly: { type: 'rule', values: ['color-contrast'] },
  },
};
/** Computed background colors. */
const BACKGROUNDS = { light: 'rgb(247, 242, 238)', dark: 'rgb(21, 17, 14)' };

afterEach(() => commands.preferColorScheme('light'));

const cases = Object.entries(ACTION_FIXTURES).flatMap(([name, screen]) =>
  SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ name, screen, scheme, language }))),
);

test.each(cases)(
  '[I171] $name, $scheme, $language: the heading is the page title, and there are no accessibility violations',
  async ({ screen, scheme, language }) => {
    await commands.preferColorScheme(scheme);
    await mountPage(language, <ActionView screen={screen} messages={await loadTexts(language)} />);
    const heading = page.getByRole('heading', { level: 1 });
    await expect.element(heading).toBeVisible();
    await expect.poll(() => document.title).toBe(heading.element().textContent);
    expect(getComputedStyle(document.body).backgroundColor).toBe(BACKGROUNDS[scheme]);
    const { violations } = await axe.run(document, CHECKED[scheme]);
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  },
);

test('[I170] in right-to-left languages, the button that shows the password is on the left', async () => {
  const screen = ACTION_FIXTURES['new password'];
  if (screen === undefined) throw new Error('Missing fixture "new password".');
  await mountPage('ar', <ActionView screen={screen} messages={await loadTexts('ar')} />);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const [button, field] = ['button[aria-pressed]', 'form'].map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect(),
  );
  expect(button?.right).toBeLessThan((field?.left ?? 0) + (field?.width ?? 0) / 2);
});
