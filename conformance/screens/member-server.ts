import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { openAdministrator } from '../drivers/administrator.ts';
import { type ConsoleMember, makeMember, signInMember } from '../drivers/console/member.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { PROJECT } from './chat-data.ts';

/** A server whose members sign in. */
export interface MemberServer {
  readonly url: string;
  /** Signs the owner in; returns the state of the browser. */
  signIn(browser: Browser, view: string): Promise<BrowserContextOptions['storageState']>;
  /** Signs a member in who has no second factor yet. */
  signInNewMember(page: Page): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server with a project and its members. */
export async function openMemberServer(): Promise<MemberServer> {
  const data = await openDataDir();
  const command = 'serve';
  const args = ['--public-url', 'http://127.0.0.1', '--log-level', 'error'];
  const server = await startServer({ command, dataDir: data.path, args });
  const testBed = { server, admin: await openAdministrator(server, command) };
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
  const member = (name: string, role: 'owner' | 'editor' | 'viewer', hasFactor = true) =>
    makeMember(testBed, PROJECT, { email: `${name}@example.com`, role, hasFactor });
  const owner = await member('maya', 'owner');
  await member('ben', 'editor');
  await member('carla', 'editor');
  await member('grace', 'viewer');
  const newMember = await member('omar', 'viewer', false);
  return {
    url: server.url,
    async signIn(browser, view) {
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(view);
      await signInMember(page, owner);
      await page.getByRole('navigation').first().waitFor();
      const state = await context.storageState({ indexedDB: true });
      await context.close();
      return state;
    },
    signInNewMember: (page) => enterPassword(page, newMember),
    async close() {
      await server.stop();
      await data.remove();
    },
  };
}

/** A key of the length that the server creates. */
const SHOWN_KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Signs in by password. The key of the second factor is replaced, since a random one would change every picture. */
async function enterPassword(page: Page, { email, password }: ConsoleMember): Promise<void> {
  await page.route('**/mfaEnrollment:start?*', async (route) => {
    const response = await route.fetch();
    const json = Object(await response.json());
    const totpSessionInfo = { ...json.totpSessionInfo, sharedSecretKey: SHOWN_KEY };
    await route.fulfill({ response, json: { ...json, totpSessionInfo } });
  });
  await page.locator('input[autocomplete=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
}
