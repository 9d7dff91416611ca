const PARENT_CHECK_INTERVAL_MS = 1000;

/**
 * Stops this process when npm has ended without forwarding a signal, because otherwise the user could not
 * find and stop it.
 */
export function followNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_INTERVAL_MS);
  watch.unref();
}
