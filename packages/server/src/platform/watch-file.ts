import { type FSWatcher, watchFile as pollFile, unwatchFile, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Maximum delay until a change is noticed if the system sends no event, as on network volumes. */
const POLL_MS = 1_000;

/** Programs write a file in several steps, so the change is reported only after a pause of this length. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` when a file may have changed, appeared or disappeared, until the result is disposed.
 * Watches the directory and not the file, because editors replace the file.
 */
export function watchFile(path: string, onChange: () => void): Disposable {
  let settling: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(settling);
    settling = setTimeout(onChange, SETTLE_MS);
  };
  const watcher = findWatcher(path, settle);
  pollFile(path, { interval: POLL_MS, persistent: false }, settle);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(settling);
      watcher?.close();
      unwatchFile(path, settle);
    },
  };
}

/**
 * Returns a watcher for the directory; `undefined` if the directory does not exist or the system has no
 * watchers left. Then the file is only polled.
 */
function findWatcher(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(path)) onChange();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
