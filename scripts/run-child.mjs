import { spawn } from 'node:child_process';

const FORWARDED = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);

/**
 * Runs a program to its end, and forwards every stop signal that this process receives.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} rejects only if the program
 * cannot be started
 */
export function runChild(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    const stopForwarding = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve({ code, signal });
    });
  });
}

/**
 * Ends this process like the child: with the same exit code, or by the same signal.
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} outcome
 */
export function exitLike(outcome) {
  if (outcome.signal !== null) process.kill(process.pid, outcome.signal);
  else process.exitCode = outcome.code ?? 1;
}
