import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_FILE, PINNED_VERSION, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

/**
 * A folder with its own lock file.
 * @typedef {object} Installation
 * @property {string} folder absolute path, with a trailing separator
 * @property {string} what displayed name of the installed packages
 * @property {readonly string[]} args arguments of `npm ci`, in addition to those that keep it quiet
 * @property {readonly string[]} files paths below the folder that must also exist
 */

/** @type {Installation} */
const REPOSITORY = {
  folder: ROOT,
  what: 'dependencies',
  // NODE_ENV=production would omit the tools. Node itself is an optional dependency, because it differs by platform.
  args: ['--include=dev', '--include=optional'],
  files: PINNED_VERSION === undefined ? [] : [PINNED_FILE],
};

/**
 * Firebase's own tools and libraries, which only tests use. They are larger than all other packages together.
 * Their optional dependencies are omitted: they would have to be compiled, and no test uses them.
 * @type {Installation}
 */
const CLIENTS = {
  folder: `${ROOT}conformance/clients/`,
  what: 'official clients for the tests',
  args: ['--omit=optional', '--ignore-scripts'],
  files: [],
};

/**
 * Programs of others that only the bench uses, to audit pages and to compare the evaluation of rules.
 * @type {Installation}
 */
const PEERS = {
  folder: `${ROOT}bench/peers/`,
  what: 'peers for the bench',
  args: ['--omit=optional', '--ignore-scripts'],
  files: [],
};

/**
 * The record of installed packages, which `npm` writes last, so it is absent after an interrupted install.
 * @param {Installation} installation
 */
const recordOf = ({ folder }) => `${folder}node_modules/.package-lock.json`;

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage */

/**
 * Returns the first path at which the installed packages do not satisfy the lock file, or undefined. Optional
 * packages may be missing, because most of them are for other platforms.
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

/**
 * Returns the path of the first installed package that does not have the hash in the lock file, or undefined. Ignores
 * links, which are the packages of this repository.
 * @param {Record<string, LockedPackage>} locked
 * @param {Record<string, LockedPackage>} installed
 */
export function findUnpinned(locked, installed) {
  return Object.keys(installed).find(
    (path) =>
      path.startsWith('node_modules/') &&
      installed[path]?.link !== true &&
      (locked[path]?.integrity === undefined || installed[path]?.integrity !== locked[path]?.integrity),
  );
}

/** @param {string} file @returns {Record<string, LockedPackage>} */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * Returns the path of a missing or outdated package or file in the folder, or undefined if everything is installed.
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
    // An unreadable record does not show what is installed. Another install replaces it.
    return 'node_modules';
  }
}

/**
 * Returns the search path without this repository's own programs, because the install deletes them while it
 * runs.
 * @param {string} path
 */
function withoutOwnPrograms(path) {
  return path
    .split(delimiter)
    .filter((entry) => !entry.startsWith(`${ROOT}node_modules`))
    .join(delimiter);
}

/**
 * Installs the packages in the repository's lock file, unless they are installed. All output goes to standard
 * error.
 * @returns {Promise<boolean>} false after a failure; prints the failure and sets the exit code
 */
export function install() {
  return installFolder(REPOSITORY);
}

/** Returns whether the packages in the repository's lock file are installed. */
export function isInstalled() {
  return findNotInstalled(REPOSITORY) === undefined;
}

/** Like `install`, for `CLIENTS`. */
export function installClients() {
  return installFolder(CLIENTS);
}

/** Like `install`, for `PEERS`. */
export function installPeers() {
  return installFolder(PEERS);
}

/** @param {Installation} installation @returns {Promise<boolean>} */
async function installFolder(installation) {
  const { folder, what } = installation;
  if (findNotInstalled(installation) === undefined) return true;
  process.stderr.write(`Installing the ${what} with npm ci; this happens once and takes about a minute.\n`);
  // `npm ci` first deletes the packages. If it is interrupted then, a remaining record would claim that they
  // are installed.
  rmSync(recordOf(installation), { force: true });
  const env = { ...process.env, PATH: withoutOwnPrograms(process.env['PATH'] ?? '') };
  const args = ['ci', ...installation.args, '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const outcome = await runChild('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] });
    if (outcome.signal !== null) {
      exitLike(outcome);
      return false;
    }
    if (outcome.code !== 0) return reportFailure(installation, `npm ci ended with code ${outcome.code}`);
    const missing = findNotInstalled(installation);
    if (missing !== undefined)
      return reportFailure(installation, `npm ci succeeded without installing ${missing}`);
    return reportVerified(installation);
  } catch (error) {
    return reportFailure(
      installation,
      `npm cannot be run (${error instanceof Error ? error.message : error})`,
    );
  }
}

/**
 * Prints that all installed packages have the hashes of the lock file, and returns true. If a package does not, reports
 * a failure with its path, and returns false.
 * @param {Installation} installation
 */
function reportVerified(installation) {
  const installed = readPackages(recordOf(installation));
  const unpinned = findUnpinned(readPackages(`${installation.folder}package-lock.json`), installed);
  if (unpinned !== undefined)
    return reportFailure(installation, `package-lock.json has no hash of ${unpinned}, which npm installed`);
  const count = Object.values(installed).filter(({ integrity }) => integrity !== undefined).length;
  const packages = count === 1 ? '1 package' : `${count} packages`;
  process.stderr.write(`Installed ${packages}, each with the hash that package-lock.json names.\n`);
  return true;
}

/** @param {Installation} installation @param {string} reason */
function reportFailure({ what }, reason) {
  process.stderr.write(`The ${what} could not be installed: ${reason}.\n`);
  process.exitCode = 1;
  return false;
}
