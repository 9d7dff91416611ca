// Loaded before the server by `node --import`. Reports to file descriptor 3 how long the event loop of the server
// stands still, and can remove one of the server's limits to prove that a scenario notices. It is not part of the
// product.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { type Replacement, WITHOUT_VARIABLE } from './replacement.ts';

const REPORT_FD = 3;
const INTERVAL_MS = 10;

/** Shorter delays are not reported. */
const MIN_REPORTED_MS = 15;

/**
 * Watches how long the event loop stands still, in processor time of this thread at most: other programs on the machine
 * must not count against the server.
 */
function watchDelays(): void {
  let atMs = performance.now();
  let cpuMs = readCpuMs();
  const timer = setInterval(() => {
    const nowCpuMs = readCpuMs();
    const delayMs = Math.min(performance.now() - atMs - INTERVAL_MS, nowCpuMs - cpuMs);
    if (delayMs >= MIN_REPORTED_MS) writeSync(REPORT_FD, `${delayMs.toFixed(1)}\n`);
    atMs = performance.now();
    cpuMs = nowCpuMs;
  }, INTERVAL_MS);
  timer.unref();
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function replaceLimits(replacements: readonly Replacement[]): void {
  const found = new Set<Replacement>();
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = replacements.filter(({ file }) => url.endsWith(file));
      if (own.length === 0) return loaded;
      let source = String(loaded.source);
      if (loaded.source instanceof Uint8Array) source = Buffer.from(loaded.source).toString('utf8');
      for (const replacement of own) {
        if (source.split(replacement.from).length !== 2)
          throw new Error(`${replacement.file} does not contain exactly one "${replacement.from}".`);
        source = source.replace(replacement.from, () => replacement.to);
        found.add(replacement);
      }
      return { ...loaded, source };
    },
  });
  process.once('exit', () => {
    for (const each of replacements)
      if (!found.has(each)) process.stderr.write(`hearth: ${each.file} was not loaded\n`);
  });
}

const text = process.env[WITHOUT_VARIABLE];
if (text !== undefined) replaceLimits(JSON.parse(text));
if (isMainThread) watchDelays();
