// Runs under Node 20 without installed packages.
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './paths.mjs';

/** Exists while a command installs packages or builds pages. Contains the process ID of the command. */
const LOCK = `${ROOT}.preparing`;

/**
 * Exists while a command removes an outdated lock. Without it, the second of two commands that remove an outdated lock could
 * remove a new one.
 */
const REMOVAL = `${LOCK}.removal`;

/** The holder renews the lock at this interval, so that no command waits for the lock of a computer that has crashed. */
const RENEWAL_MS = 2_000;
const OUTDATED_MS = 30_000;
const RETRY_MS = 200;

/**
 * Runs `prepare`, which installs packages or builds pages, while no other command in this repository does. Waits for
 * another command to end first. In a folder where no file can be created, runs `prepare` immediately.
 * @template T @param {() => Promise<T>} prepare @returns {Promise<T>}
 */
export async function runAlone(prepare) {
  const isLocked = await takeLock();
  const renewal = setInterval(renewLock, RENEWAL_MS);
  renewal.unref();
  try {
    return await prepare();
  } finally {
    clearInterval(renewal);
    if (isLocked && isOwn()) rmSync(LOCK, { force: true });
  }

  function renewLock() {
    const now = new Date();
    try {
      if (isLocked && isOwn()) utimesSync(LOCK, now, now);
    } catch {
      // Another command has removed the lock at this moment.
    }
  }
}

/** Returns whether this command still has the lock. Another one takes it if this one does not renew it in time. */
function isOwn() {
  try {
    return readFileSync(LOCK, 'utf8') === String(process.pid);
  } catch {
    return false;
  }
}

/** Returns whether there is a lock; false if no file can be created. */
async function takeLock() {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const file = openSync(LOCK, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
    }
    if (!isOutdated() || !removeOutdated()) {
      if (!isWaiting) process.stderr.write('Waiting for another command that installs or builds here.\n');
      await pause(RETRY_MS);
    }
  }
}

/** Removes the lock if it is still outdated. Returns false, and removes nothing, while another command does the same. */
function removeOutdated() {
  try {
    closeSync(openSync(REMOVAL, 'wx'));
  } catch {
    // A removal takes less than a millisecond, so an old one was interrupted.
    if (isOlder(REMOVAL)) rmSync(REMOVAL, { force: true });
    return false;
  }
  try {
    // Another command may have removed it and taken a new one in the meantime.
    if (isOutdated()) rmSync(LOCK, { force: true });
  } finally {
    rmSync(REMOVAL, { force: true });
  }
  return true;
}

/** Returns whether a file was not changed for a long time. @param {string} path */
function isOlder(path) {
  try {
    return statSync(path).mtimeMs < Date.now() - OUTDATED_MS;
  } catch {
    // It has been removed in the meantime.
    return false;
  }
}

/** Returns whether the command that took the lock no longer runs. */
function isOutdated() {
  try {
    if (isOlder(LOCK)) return true;
    const pid = Number(readFileSync(LOCK, 'utf8'));
    // The holder writes its ID right after it has created the file.
    return pid > 0 && !isRunning(pid);
  } catch {
    // The holder has removed the lock in the meantime.
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
