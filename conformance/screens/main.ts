// `npm run screens [-- <prefix>…]`: takes the pictures in `docs/screens`, or only those whose names begin with one of
// the prefixes.
import { chromium } from 'playwright';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';
import { openAdministrator } from '../drivers/administrator.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { Camera } from './camera.ts';
import { causeDenials, fillServer, writeData } from './fill-server.ts';
import { openMemberServer } from './member-server.ts';
import { choosePictures, FOLDER, type Picture } from './pictures.ts';
import { addressOf, type Moment } from './screens.ts';
import { startTraffic } from './traffic.ts';

const { pictures, problems } = await choosePictures(process.argv.slice(2));
const failures = [...problems];
const browser = await chromium.launch(CHROMIUM_LAUNCH);
const camera = new Camera(browser, FOLDER);

/** Takes the chosen pictures of some moments: one page after the other, the looks of a page in parallel. */
async function takePictures(
  moments: readonly Moment[],
  subjectOf: (picture: Picture) => Parameters<Camera['take']>[2],
): Promise<void> {
  const chosen = pictures.filter(({ screen }) => moments.includes(screen.moment));
  for (const ofScreen of Map.groupBy(chosen, ({ screen }) => screen).values())
    await Promise.all(
      ofScreen.map((picture) =>
        camera
          .take(picture.name, picture.look, subjectOf(picture))
          .catch((error: unknown) => failures.push(`${picture.name}: ${error}`)),
      ),
    );
}

/** Returns whether a picture of one of the moments is chosen. */
function areWanted(...moments: readonly Moment[]): boolean {
  return pictures.some(({ screen }) => moments.includes(screen.moment));
}

/** The default port of the server, which some pictures show. If a program uses it, the server takes another port. */
const SHOWN_PORT = 9000;

/** Takes the pictures of a server in development mode. */
async function takeDevelopment(): Promise<void> {
  const data = await openDataDir();
  const options = { dataDir: data.path, args: ['--log-level', 'error'] };
  const server = await startServer({ ...options, port: SHOWN_PORT }).catch(() => startServer(options));
  const filled = { url: server.url, admin: await openAdministrator(server) };
  const take = (moment: Moment) =>
    takePictures([moment], ({ screen }) => ({ url: addressOf(server.url, screen), show: screen.show }));
  try {
    await fillServer(filled);
    const traffic = areWanted('in-traffic') ? startTraffic(server.url) : undefined;
    await take('before-traffic');
    await traffic?.afterOneMinute;
    await take('in-traffic');
    await traffic?.stop();
    await writeData(filled);
    await causeDenials(filled);
    await take('after-traffic');
  } finally {
    await server.stop();
    await data.remove();
  }
}

/** Takes the pictures of a server whose members sign in. */
async function takeMembers(): Promise<void> {
  const server = await openMemberServer();
  try {
    const session = await server.signIn(browser, addressOf(server.url, { view: '' }));
    await takePictures(['as-member'], ({ screen }) => ({
      url: addressOf(server.url, screen),
      session,
      show: screen.show,
    }));
    await takePictures(['as-new-member'], ({ screen }) => ({
      url: addressOf(server.url, screen),
      async show(page) {
        await server.signInNewMember(page);
        await screen.show(page);
      },
    }));
  } finally {
    await server.close();
  }
}

try {
  if (areWanted('before-traffic', 'in-traffic', 'after-traffic')) await takeDevelopment();
  if (areWanted('as-member', 'as-new-member')) await takeMembers();
} finally {
  await browser.close();
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
const taken = pictures.length - (failures.length - problems.length);
process.stdout.write(
  `${taken} ${taken === 1 ? 'picture' : 'pictures'} taken${failures.length === 0 ? '' : `, ${failures.length} failed`}\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
