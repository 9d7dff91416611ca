import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

/**
 * A browser that tests start.
 * @typedef {object} Browser
 * @property {string} name
 * @property {string} variable environment variable with the path of the program
 * @property {string} place path of the program on Debian
 * @property {string} debianPackage
 * @property {boolean} isOfPlaywright whether the build that Playwright installs is also suitable
 */

/** @type {Browser} */
export const CHROMIUM = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  place: '/usr/bin/chromium',
  debianPackage: 'chromium',
  isOfPlaywright: true,
};

/**
 * Playwright's own build of Firefox is a modified browser, but the tests are about the one that users have.
 * @type {Browser}
 */
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

/**
 * Returns the path of an installed browser. If the variable names a file that does not exist, no other path
 * is tried. @param {Browser} browser
 */
async function find({ variable, place: location, isOfPlaywright }) {
  const chosen = process.env[variable];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  if (existsSync(location)) return location;
  return isOfPlaywright ? findPlaywrightChromium() : undefined;
}

function hasAptGet() {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(`${folder}/apt-get`));
}

/**
 * Runs a command. @param {string} command @param {readonly string[]} args @returns {Promise<boolean>} whether
 * its exit code is 0
 */
async function succeeds(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    return (await runChild(command, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] })).code === 0;
  } catch {
    // A program that cannot be started is a failure, too. The caller tries the next way.
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
 * Returns the path of a browser for the tests, and installs one if there is none.
 * @param {Browser} browser
 * @returns {Promise<string | undefined>} undefined after a failure, which is then printed
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
      `${name} was not found: install it (Debian: apt-get install ${debianPackage}), or set ${variable} to its path.\n`,
    );
  }
  return installed;
}
