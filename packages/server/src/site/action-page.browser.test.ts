import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ACTION_PAGE, type BuiltPages, readBuiltPages, sendPageAsset } from '../http/static-pages.ts';
import { type ActionPage, renderActionPage } from './action-page.ts';

/** The system's browser, because Playwright's own is not always installed. CHROMIUM_PATH names another one. */
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ASSETS = '/__/auth/assets/';

let pages: BuiltPages;
let browser: Browser;
let origin: string;

const LINK: ActionPage = {
  kind: 'action',
  mode: 'resetPassword',
  oobCode: 'secret',
  apiKey: 'key',
  continueUrl: 'https://app.example.com/',
  look: { name: 'demo' },
};

// Code for the browser is text here, because these sources are compiled without the types of the DOM.
const REPORT_VIOLATIONS = `
  addEventListener('securitypolicyviolation', (event) => {
    console.error(event.violatedDirective + ' forbids ' + event.blockedURI);
  });
`;
const FIND_BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
const INJECT = `
  const script = document.createElement('script');
  script.textContent = 'document.title = "taken over"';
  const style = document.createElement('style');
  style.textContent = 'body { display: none }';
  document.body.append(script, style);
`;
const COUNT_MOVING = `
  [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || /[1-9]/.test(transitionDuration);
  }).length
`;

/** Answers requests like the server: with the page, its assets, or a response of the Auth API. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const asset = pathname.startsWith(ASSETS) ? pages.assets.get(pathname.slice(ASSETS.length)) : undefined;
  if (asset !== undefined) {
    void sendPageAsset(request, response, asset);
  } else if (pathname === '/__/auth/action') {
    const lang = searchParams.get('lang') ?? undefined;
    const page = renderActionPage(pages, { page: LINK, lang }, randomBytes(16).toString('base64'));
    response.writeHead(page.status, page.headers);
    response.end(page.body?.kind === 'whole' ? page.body.bytes : '');
  } else {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ email: 'alice@example.com', requestType: 'PASSWORD_RESET' }));
  }
}

const server = createServer(answer);

beforeAll(async () => {
  pages = await readBuiltPages(ACTION_PAGE);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  browser = await chromium.launch({ executablePath: CHROMIUM, args });
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Opens a page. `complaints` collects its console messages, its errors, and its requests to other origins. */
async function openPage(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) complaints.push(url);
  });
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  return { page, complaints };
}

test.each([
  ['en', 'ltr', 'Password saved'],
  ['ar', 'rtl', 'تم حفظ كلمة المرور'],
])(
  '[I162][I170][I173] the built page in the language %s is styled, saves a password, and never violates its policy',
  async (lang, direction, saved) => {
    const { page, complaints } = await openPage();
    await page.goto(`${origin}/__/auth/action?mode=resetPassword&oobCode=secret&apiKey=key&lang=${lang}`);
    const field = page.locator('input[autocomplete=new-password]');
    await field.fill('correct horse');
    expect(page.url()).toBe(`${origin}/__/auth/action?mode=resetPassword&apiKey=key&lang=${lang}`);
    expect(await page.locator('html').getAttribute('dir')).toBe(direction);
    expect(await page.evaluate(FIND_BACKGROUND)).toBe('rgb(247, 242, 238)');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: saved }).waitFor();
    expect(complaints).toEqual([]);
  },
);

/** Returns the fonts that draw the text directly in the heading, and whether they are files of the page. */
async function fontsOfHeading(page: Page): Promise<readonly (readonly [string, boolean])[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont] as const);
}

test.each([
  ['en', 'Inter'],
  ['ar', 'Vazirmatn'],
])('[I2960] the page in the language %s has the font %s from the server', async (lang, font) => {
  const { page, complaints } = await openPage();
  const address = `${origin}/__/auth/action?mode=resetPassword&oobCode=secret&apiKey=key&lang=${lang}`;
  // A font that arrives late is used by the next page.
  for (const _visit of [1, 2]) {
    await page.goto(address);
    await page.locator('form').waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
  }
  const fonts = await fontsOfHeading(page);
  expect(fonts.map(([name]) => name)).toContain(font);
  expect(fonts.filter(([, isOfPage]) => !isOfPage)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('[I173] an injected script or style has no effect', async () => {
  const { page, complaints } = await openPage();
  await page.goto(`${origin}/__/auth/action?mode=resetPassword&lang=en`);
  await page.locator('form').waitFor();
  await page.evaluate(INJECT);
  expect(await page.title()).toBe('Choose a new password');
  expect(await page.locator('body').isVisible()).toBe(true);
  expect(complaints.filter((text) => text.includes(' forbids ')).toSorted()).toEqual([
    'script-src-elem forbids inline',
    'style-src-elem forbids inline',
  ]);
});

test('[I179] nothing moves for users who prefer reduced motion', async () => {
  const { page } = await openPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${origin}/__/auth/action?mode=resetPassword&lang=en`);
  await page.locator('form').waitFor();
  expect(await page.evaluate(COUNT_MOVING)).toBe(0);
});
