import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

/**
 * A browser that tests start.
 * @typedef {object} Browser
 * @property {string} name
 * @property {string} variable of the environment, which names the program
 * @property {string} place where Debian has it
 * @property {string} debianPackage
 * @property {boolean} isOfPlaywright whether the build that Playwright installs does as well
 */

/** @type {Browser} */
export const CHROMIUM = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  place: '/usr/bin/chromium',
  debianPackage: 'chromium',
  isOfPlaywright: true,
};

/** Playwright's own build of it is another browser: the tests are about the one that people have. @type {Browser} */
export const FIREFOX = {
  name: 'Firefox',
  variable: 'FIREFOX_PATH',
  place: '/usr/bin/firefox-esr',
  debianPackage: 'firefox-esr',
  isOfPlaywright: false,
};

const PLAYWRIGHT = `${ROOT}node_modules/playwright/cli.js`;

async function findPlaywrightChromium() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** Path of one that is already on this machine. A variable that names no file is not replaced by a guess. @param {Browser} browser */
async function find({ variable, place: location, isOfPlaywright }) {
  const chosen = process.env[variable];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  if (existsSync(location)) return location;
  return isOfPlaywright ? findPlaywrightChromium() : undefined;
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

/** @param {Browser} browser */
async function installBrowser({ name, debianPackage, isOfPlaywright }) {
  if (process.getuid?.() === 0 && hasAptGet()) {
    process.stderr.write(`Installing ${name} with apt-get, for the tests in a browser.\n`);
    if (
      (await succeeds('apt-get', ['update'])) &&
      (await succeeds('apt-get', ['install', '-y', debianPackage]))
    )
      return;
  }
  if (!isOfPlaywright) return;
  process.stderr.write(`Installing ${name} with Playwright, for the tests in a browser.\n`);
  await succeeds(PINNED_NODE, [PLAYWRIGHT, 'install', 'chromium']);
}

/**
 * Path of a browser for the tests, installed if there is none.
 * @param {Browser} browser
 * @returns {Promise<string | undefined>} undefined after a failure, which has then been explained
 */
export async function findOrInstall(browser) {
  const { name, variable, debianPackage } = browser;
  const found = await find(browser);
  if (found !== undefined) return found;
  if (process.env[variable]) {
    process.stderr.write(`${variable} names a file that does not exist: ${process.env[variable]}\n`);
    return undefined;
  }
  await installBrowser(browser);
  const installed = await find(browser);
  if (installed === undefined) {
    process.stderr.write(
      `No ${name} found: install it (Debian: apt-get install ${debianPackage}), or set ${variable} to it.\n`,
    );
  }
  return installed;
}
