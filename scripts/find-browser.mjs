import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

const PLAYWRIGHT = `${ROOT}node_modules/playwright/cli.js`;
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

async function findPlaywrightChromium() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** Path of a Chromium that is already on this machine. A CHROMIUM_PATH that names no file is not replaced by a guess. */
async function findChromium() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : findPlaywrightChromium();
}

function hasAptGet() {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(`${folder}/apt-get`));
}

/** @param {string} command @param {readonly string[]} args @returns {Promise<boolean>} whether it ended with code 0 */
async function succeeds(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    return (await runChild(command, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] })).code === 0;
  } catch {
    // A program that cannot be started is one more way of not succeeding; the caller goes on to the next way.
    return false;
  }
}

async function installChromium() {
  if (process.getuid?.() === 0 && hasAptGet()) {
    process.stderr.write('Installing Chromium with apt-get, for the tests in a browser.\n');
    if ((await succeeds('apt-get', ['update'])) && (await succeeds('apt-get', ['install', '-y', 'chromium'])))
      return;
  }
  process.stderr.write('Installing Chromium with Playwright, for the tests in a browser.\n');
  await succeeds(PINNED_NODE, [PLAYWRIGHT, 'install', 'chromium']);
}

/**
 * Path of a Chromium for the tests, installed if there is none.
 * @returns {Promise<string | undefined>} undefined after a failure, which has then been explained
 */
export async function findOrInstallChromium() {
  const found = await findChromium();
  if (found !== undefined) return found;
  if (process.env['CHROMIUM_PATH']) {
    process.stderr.write(`CHROMIUM_PATH names a file that does not exist: ${process.env['CHROMIUM_PATH']}\n`);
    return undefined;
  }
  await installChromium();
  const installed = await findChromium();
  if (installed === undefined) {
    process.stderr.write(
      'No Chromium found: install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to it.\n',
    );
  }
  return installed;
}
