import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter } from 'node:path';
import { ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

/**
 * A folder with a lock file of its own.
 * @typedef {object} Installation
 * @property {string} folder absolute, with a trailing separator
 * @property {string} what is installed, for the reader
 * @property {readonly string[]} args of `npm ci`, beside those that keep it quiet
 * @property {readonly string[]} files below the folder that must exist, whatever the record of the install says
 */

/** @type {Installation} */
const REPOSITORY = {
  folder: ROOT,
  what: 'dependencies',
  // NODE_ENV=production would leave out Node itself, which is a development dependency.
  args: ['--include=dev'],
  files: ['node_modules/node/bin/node'],
};

/**
 * Programs and libraries of others that only the tests drive; larger than everything else together. What is optional in
 * them has to be compiled, and none of it is of use here.
 * @type {Installation}
 */
const CLIENTS = {
  folder: `${ROOT}conformance/clients/`,
  what: 'official clients for the tests',
  args: ['--omit=optional', '--ignore-scripts'],
  files: [],
};

/**
 * Programs of others that the bench compares Hearth with.
 * @type {Installation}
 */
const PEERS = {
  folder: `${ROOT}bench/peers/`,
  what: 'peers for the bench',
  args: ['--omit=optional', '--ignore-scripts'],
  files: [],
};

/**
 * What `npm` records inside `node_modules` as the last act of an install, so it is absent after an interrupted one.
 * @param {Installation} installation
 */
const recordOf = ({ folder }) => `${folder}node_modules/.package-lock.json`;

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage */

/**
 * The first place where the record of what is installed does not satisfy the lock file, or undefined.
 * Optional packages may be missing, because most of them are made for other platforms.
 * @param {Record<string, LockedPackage>} locked
 * @param {Record<string, LockedPackage>} installed
 */
export function findStale(locked, installed) {
  return Object.keys(locked).find((path) => {
    if (!path.startsWith('node_modules/')) return false;
    const wanted = locked[path];
    const found = installed[path];
    if (found === undefined) return wanted?.optional !== true;
    return (
      found.version !== wanted?.version ||
      found.integrity !== wanted?.integrity ||
      found.link !== wanted?.link
    );
  });
}

/** @param {string} file @returns {Record<string, LockedPackage>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * What is missing or out of date, as a path in the folder; undefined when everything is installed.
 * @param {Installation} installation
 */
function findNotInstalled(installation) {
  const { folder, files } = installation;
  const record = recordOf(installation);
  if (!existsSync(record)) return 'node_modules';
  const missing = files.find((file) => !existsSync(folder + file));
  if (missing !== undefined) return missing;
  try {
    return findStale(readPackages(`${folder}package-lock.json`), readPackages(record));
  } catch {
    // An unreadable record says nothing about what is installed; installing again replaces it.
    return 'node_modules';
  }
}

/**
 * The search path without this repository's own programs: the install deletes them while it runs.
 * @param {string} path
 */
function withoutOwnPrograms(path) {
  return path
    .split(delimiter)
    .filter((entry) => !entry.startsWith(`${ROOT}node_modules`))
    .join(delimiter);
}

/**
 * Installs what the lock file of the repository asks for, unless it is there already. All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure, which has then been explained and set as the exit code
 */
export function install() {
  return installFolder(REPOSITORY);
}

/** As `install`, for the clients that only the tests drive. */
export function installClients() {
  return installFolder(CLIENTS);
}

/** As `install`, for what the bench compares with. */
export function installPeers() {
  return installFolder(PEERS);
}

/** @param {Installation} installation @returns {Promise<boolean>} */
async function installFolder(installation) {
  const { folder, what } = installation;
  if (findNotInstalled(installation) === undefined) return true;
  process.stderr.write(`Installing the ${what} with npm ci; this happens once and takes about a minute.\n`);
  // Were the deletion that `npm ci` begins with interrupted, a surviving record would vouch for missing files.
  rmSync(recordOf(installation), { force: true });
  const env = { ...process.env, PATH: withoutOwnPrograms(process.env['PATH'] ?? '') };
  const args = ['ci', ...installation.args, '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const outcome = await runChild('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] });
    if (outcome.signal !== null) {
      exitLike(outcome);
      return false;
    }
    if (outcome.code !== 0) return reject(installation, `npm ci ended with code ${outcome.code}`);
    const missing = findNotInstalled(installation);
    return missing === undefined || reject(installation, `npm ci succeeded without installing ${missing}`);
  } catch (error) {
    return reject(installation, `npm cannot be run (${error instanceof Error ? error.message : error})`);
  }
}

/** @param {Installation} installation @param {string} reason */
function reject({ what }, reason) {
  process.stderr.write(`The ${what} could not be installed: ${reason}.\n`);
  process.exitCode = 1;
  return false;
}
