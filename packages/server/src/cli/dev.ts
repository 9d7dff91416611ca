import { startApp } from '../app.ts';
import { createLogger } from '../ops/logger.ts';
import { type Flags, readOptions } from '../ops/options.ts';
import { formatBanner } from './banner.ts';
import { awaitStopSignal } from './stop-signal.ts';

/**
 * `hearth dev`: serves in development mode until it is asked to stop. Standard output gets the `ready` line and
 * nothing else. Rejects with a `StartFailure` when the server cannot start.
 */
export async function runDev(flags: Flags): Promise<void> {
  const options = readOptions(flags);
  // From here on, so that a request to stop during the start is not lost.
  const stopped = awaitStopSignal();
  const app = await startApp(options, createLogger(options.logLevel, process.stderr));
  process.stderr.write(formatBanner(app.url, app.dataPath, options));
  process.stdout.write(`ready ${app.url}\n`);
  await stopped;
  await app.close();
}
