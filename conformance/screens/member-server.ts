import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { openAdministrator } from '../drivers/administrator.ts';
import { type ConsoleMember, makeMember, signInMember } from '../drivers/console/member.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { PROJECT } from './chat-data.ts';

/** A server on which members must sign in. */
export interface MemberServer {
  readonly url: string;
  /** Signs in the owner at the address `url`. Returns the state of the browser, which contains the session. */
  signIn(browser: Browser, url: string): Promise<BrowserContextOptions['storageState']>;
  /** Enters the password of a member who has no second factor yet. The page then asks for one. */
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
    async signIn(browser, url) {
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(url);
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

/** A key for a second factor, as long as the keys that the server creates. */
const SHOWN_KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Enters an email address and a password. Replaces the random key of the second factor, so pictures stay equal. */
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
