import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

/**
 * A browser that tests start.
 * @typedef {object} Browser
 * @property {string} name
 * @property {string} variable environment variable with the path of the program
 * @property {string} debianPath path of the program on Debian
 * @property {string} debianPackage
 * @property {boolean} canBePlaywrightBuild whether the tests may use Playwright's own build
 */

/** @type {Browser} */
export const CHROMIUM = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  debianPath: '/usr/bin/chromium',
  debianPackage: 'chromium',
  canBePlaywrightBuild: true,
};

/**
 * Playwright installs a modified Firefox, but the tests need the browser that users have.
 * @type {Browser}
 */
export const FIREFOX = {
  name: 'Firefox',
  variable: 'FIREFOX_PATH',
  debianPath: '/usr/bin/firefox-esr',
  debianPackage: 'firefox-esr',
  canBePlaywrightBuild: false,
};

const PLAYWRIGHT = `${ROOT}node_modules/playwright/cli.js`;

async function findPlaywrightChromium() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/**
 * Returns the path of an installed browser, or undefined. If its variable is set, no other path is tried.
 * @param {Browser} browser
 */
async function find({ variable, debianPath, canBePlaywrightBuild }) {
  const chosen = process.env[variable];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  if (existsSync(debianPath)) return debianPath;
  return canBePlaywrightBuild ? findPlaywrightChromium() : undefined;
}

function hasAptGet() {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(`${folder}/apt-get`));
}

/**
 * Runs a command, and returns whether its exit code is 0.
 * @param {string} command
 * @param {readonly string[]} args
 */
async function succeeds(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    return (await runChild(command, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] })).code === 0;
  } catch {
    // A command that cannot be started counts as failed.
    return false;
  }
}

/** @param {Browser} browser */
async function installBrowser({ name, debianPackage, canBePlaywrightBuild }) {
  if (process.getuid?.() === 0 && hasAptGet()) {
    process.stderr.write(`Installing ${name} with apt-get, for the tests in a browser.\n`);
    if (
      (await succeeds('apt-get', ['update'])) &&
      (await succeeds('apt-get', ['install', '-y', debianPackage]))
    )
      return;
  }
  if (!canBePlaywrightBuild) return;
  process.stderr.write(`Installing ${name} with Playwright, for the tests in a browser.\n`);
  await succeeds(PINNED_NODE, [PLAYWRIGHT, 'install', 'chromium']);
}

/**
 * Returns the path of a browser for the tests. Installs the browser if it is missing, unless its variable is set.
 * @param {Browser} browser
 * @returns {Promise<string | undefined>} undefined after a failure, which the function prints
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
