const PARENT_CHECK_INTERVAL_MS = 1000;

/**
 * Makes this process end after npm, its parent, ends. npm may end without forwarding the signal that ended it,
 * and would then leave this process in the background. Does nothing if npm did not start this process.
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
