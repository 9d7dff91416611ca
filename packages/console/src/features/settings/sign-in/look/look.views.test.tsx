import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { requestError } from '../../../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  testReadyViews,
  testViewStates,
} from '../../../../app/view-states.suite.ts';
import { openView } from '../../../../app/view-test-bed.fixture.tsx';
import texts from '../../../../language/messages/en/sign-in.json';
import { LOGO, LOOK_FIXTURES, ROUTES } from './look.fixtures.ts';

const pictureOf = (name: string, scheme: string) =>
  ['img', fill(texts.look.picture, { name, scheme })] as const;

testViewStates({
  'look of an app': {
    fixture: LOOK_FIXTURES.own,
    around: [['heading', texts.title]],
    shows: [
      ['textbox', texts.setting.appName],
      ['textbox', texts.setting.lightColor],
      ['img', texts.setting.logo],
      pictureOf('Garden', texts.look.light),
      pictureOf('Garden', texts.look.dark),
      fill(texts.look.contrast, { contrast: '5.9', least: '4.5' }),
    ],
    offers: [
      ['button', texts.look.logo.choose],
      ['button', texts.look.logo.remove],
    ],
  },
});

testReadyViews({
  'look of Hearth': {
    fixture: LOOK_FIXTURES.usual,
    shows: [texts.look.usualColor, texts.look.logo.none, pictureOf('demo', texts.look.light)],
    offers: [['button', texts.look.logo.choose]],
  },
});

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const saveButton = () => page.getByRole('button', { name: texts.changes.save, exact: true });

/** Returns the color of the button in the picture of a scheme. */
function buttonColor(name: string, scheme: string): string {
  const picture = page.getByRole('img', { name: pictureOf(name, scheme)[1] }).query();
  const button = picture?.querySelector('button');
  return button === null || button === undefined ? '' : getComputedStyle(button).backgroundColor;
}

test('[C550][C47] an editor sees the look and can change none of it', async () => {
  await openView(LOOK_FIXTURES.own, { role: 'editor' });
  await expectShown([texts.ownersOnly, ['img', texts.setting.logo]]);
  await expectAbsent([
    ['button', texts.look.logo.choose],
    ['button', texts.look.logo.remove],
  ]);
  for (const name of [texts.setting.appName, texts.setting.lightColor, texts.setting.darkColor])
    await expect.element(field(name)).toHaveAttribute('readonly');
  for (const picker of document.querySelectorAll('input[type="color"]'))
    expect(picker.matches(':disabled')).toBe(true);
});

test.each([
  [texts.setting.lightColor, 'green', texts.look.notColor],
  [texts.setting.lightColor, '#7fe3c0', fill(texts.look.darker, { contrast: '1.3', least: '4.5' })],
  [texts.setting.darkColor, '#00664a', fill(texts.look.lighter, { contrast: '2.3', least: '4.5' })],
])('[C551] %s: %s is not saved, and the field says what is wrong', async (name, color, problem) => {
  await openView(LOOK_FIXTURES.own);
  await field(name).fill(color);
  await expectShown([problem]);
  await expect.element(field(name)).toHaveAttribute('aria-invalid', 'true');
  await expect.element(saveButton()).toBeDisabled();
  await expectAccessible('color-contrast');
});

test('[C550][C552] the pictures follow what the user types, and one save stores all parts of the look', async () => {
  const server = await openView(LOOK_FIXTURES.usual);
  await field(texts.setting.appName).fill('Garden');
  await field(texts.setting.lightColor).fill('#00664a');
  await expectShown([pictureOf('Garden', texts.look.light)]);
  await expect.poll(() => buttonColor('Garden', texts.look.light)).toBe('rgb(0, 102, 74)');
  await expect.poll(() => buttonColor('Garden', texts.look.dark)).toBe('rgb(255, 180, 138)');
  for (const [scheme, response] of Object.entries(LOOK_FIXTURES.own.responses))
    server.respond(scheme, response);
  await click(['button', texts.changes.save]);
  await expectShown([texts.saved]);
  await expectAbsent([['region', texts.changes.title]]);
});

test('[C550][C552] the corners follow what the user types, and a radius that is not valid is not saved', async () => {
  await openView(LOOK_FIXTURES.own);
  const radius = () => {
    const picture = page.getByRole('img', { name: pictureOf('Garden', texts.look.light)[1] }).query();
    const button = picture?.querySelector('button');
    return button === null || button === undefined ? '' : getComputedStyle(button).borderRadius;
  };
  const input = page.getByRole('spinbutton', { name: texts.setting.cornerRadius });
  await expect.poll(radius).toBe('3px');
  await input.fill('0');
  await expect.poll(radius).toBe('0px');
  for (const wrong of ['25', '-1', '1.5', '']) {
    await input.fill(wrong);
    await expect.element(input).toHaveAttribute('aria-invalid', 'true');
    await expect.element(saveButton()).toBeDisabled();
  }
  await expect.poll(radius).toBe('12px');
  await expectAccessible();
});

test('[C552] a picture as wide as a phone has the spacing of a phone', async () => {
  await openView(LOOK_FIXTURES.own);
  const width = () =>
    page.getByRole('img', { name: pictureOf('Garden', texts.look.dark)[1] }).query()?.clientWidth ?? 0;
  await expectShown([pictureOf('Garden', texts.look.dark)]);
  await click(['button', texts.look.phone]);
  await expect.poll(width).toBeLessThanOrEqual(320);
  await expectAccessible();
});

/** Chooses a file as the logo. */
function choose(bytes: Uint8Array<ArrayBuffer>): void {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error('The page has no field for a file.');
  const files = new DataTransfer();
  files.items.add(new File([bytes], 'logo.png', { type: 'image/png' }));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

const logoBytes = () => Uint8Array.from(atob(LOGO.split(',')[1] ?? ''), (one) => one.charCodeAt(0));

test('[C553] a logo is chosen, seen in both pictures and removed, and errors of the server are shown with it', async () => {
  const server = await openView(LOOK_FIXTURES.usual);
  await expectShown([texts.look.logo.none]);
  choose(new Uint8Array(40));
  await expectShown([texts.look.logo.notPng]);
  choose(logoBytes());
  await expectShown([['img', texts.setting.logo]]);
  await expectAbsent([texts.look.logo.notPng]);
  await expect.poll(() => document.querySelectorAll(`[inert] img[src="${LOGO}"]`).length).toBe(2);
  await expectShown([fill(texts.changes.changed, { label: texts.setting.logo })]);
  const sentence = 'hearth.theme.logo is a damaged PNG image.';
  server.respond(ROUTES.changeConfig, requestError(400, 'INVALID_CONFIG', `INVALID_CONFIG : ${sentence}`));
  await click(['button', texts.changes.save]);
  await expectShown([sentence]);
  await expectAccessible();
  await click(['button', texts.look.logo.remove]);
  await expectShown([texts.look.logo.none]);
  await expectAbsent([['region', texts.changes.title]]);
  await expect.element(page.getByRole('button', { name: texts.look.logo.choose })).toHaveFocus();
});
