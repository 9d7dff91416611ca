import { type FSWatcher, watchFile as pollFile, unwatchFile, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A change that the system does not tell of, as on network volumes, is found after this time at most. */
const POLL_MS = 1_000;

/** Programs write a file in several steps; it is looked at once they have paused for this long. */
const SETTLE_MS = 50;

/**
 * Calls back when a file may have changed, come or gone, until it is disposed of. The directory is watched and not the
 * file, because editors put another file in its place.
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

/** None where there is no such directory, or nothing is left to watch with: then the file is only polled. */
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
