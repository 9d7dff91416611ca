// Runs under Node 20 without installed packages.
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './paths.mjs';

/** Exists while a command installs packages or builds pages. Contains the process ID of the command. */
const LOCK = `${ROOT}.preparing`;

/** The holder renews the lock at this interval, so that a lock of a computer that crashed is not waited for. */
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
    if (isLocked) rmSync(LOCK, { force: true });
  }

  function renewLock() {
    const now = new Date();
    try {
      if (isLocked) utimesSync(LOCK, now, now);
    } catch {
      // Another command has removed the lock, because this one did not renew it in time.
    }
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
    if (isOutdated()) rmSync(LOCK, { force: true });
    else {
      if (!isWaiting) process.stderr.write('Waiting for another command that installs or builds here.\n');
      await pause(RETRY_MS);
    }
  }
}

/** Returns whether the command that took the lock no longer runs. */
function isOutdated() {
  try {
    if (statSync(LOCK).mtimeMs < Date.now() - OUTDATED_MS) return true;
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
