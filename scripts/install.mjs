import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

/** What `npm` records inside `node_modules` as the last act of an install, so it is absent after an interrupted one. */
const INSTALLED_RECORD = `${ROOT}node_modules/.package-lock.json`;

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

/** What is missing or out of date, as a path in the repository; undefined when everything is installed. */
function findNotInstalled() {
  if (!existsSync(INSTALLED_RECORD)) return 'node_modules';
  if (!existsSync(PINNED_NODE)) return 'node_modules/node/bin/node';
  try {
    return findStale(readPackages(`${ROOT}package-lock.json`), readPackages(INSTALLED_RECORD));
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
 * Installs what the lock file asks for, unless it is there already. All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure, which has then been explained and set as the exit code
 */
export async function install() {
  if (findNotInstalled() === undefined) return true;
  process.stderr.write('Installing dependencies with npm ci; this happens once and takes about a minute.\n');
  // Were the deletion that `npm ci` begins with interrupted, a surviving record would vouch for missing files.
  rmSync(INSTALLED_RECORD, { force: true });
  const env = { ...process.env, PATH: withoutOwnPrograms(process.env['PATH'] ?? '') };
  // `--include=dev` because NODE_ENV=production would leave out Node itself, which is a development dependency.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const outcome = await runChild('npm', args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
    if (outcome.signal !== null) {
      exitLike(outcome);
      return false;
    }
    if (outcome.code !== 0) return refuse(`npm ci ended with code ${outcome.code}`);
    const missing = findNotInstalled();
    return missing === undefined || refuse(`npm ci succeeded without installing ${missing}`);
  } catch (error) {
    return refuse(`npm cannot be run (${error instanceof Error ? error.message : error})`);
  }
}

/** @param {string} reason */
function refuse(reason) {
  process.stderr.write(`The dependencies could not be installed: ${reason}.\n`);
  process.exitCode = 1;
  return false;
}
