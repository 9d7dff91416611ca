import { type App, startApp } from '../app/app.ts';
import type { ServeMode } from '../app/mode.ts';
import { serveMode } from '../app/serve-mode.ts';
import { type Certificate, type CertificateFiles, readCertificate } from '../http/certificate.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import type { FlagsOf } from '../platform/option.ts';
import { programName } from '../platform/process.ts';
import { readServeOptions, type SERVE_OPTIONS, type ServeOptions } from '../platform/serve-options.ts';
import { watchFile } from '../platform/watch-file.ts';
import { LastResort } from './last-resort.ts';
import { removeLocalAccess, writeLocalAccess } from './local-access.ts';
import { awaitStopSignal } from './signals.ts';

/**
 * Reloads a certificate when one of its files changes and on SIGHUP, until the result is disposed. If the
 * files do not match, for example between two writes, the server keeps the current certificate.
 */
export function reloadCertificateOnChange(
  files: CertificateFiles,
  logger: Logger,
  onReload: (certificate: Certificate) => void,
): Disposable {
  const reload = (): void => {
    try {
      onReload(readCertificate(files));
      logger.info({ certificate: files.cert }, 'the certificate was reloaded');
    } catch (error) {
      logger.error(
        { err: error },
        'the certificate could not be reloaded; the server keeps the previous one',
      );
    }
  };
  const watchers = [files.cert, files.key].map((path) => watchFile(path, reload));
  process.on('SIGHUP', reload);
  return {
    [Symbol.dispose]: () => {
      process.off('SIGHUP', reload);
      for (const watcher of watchers) watcher[Symbol.dispose]();
    },
  };
}

/**
 * Runs `hearth serve`: serves to the network until a stop signal arrives. Writes only the `ready` line to
 * standard output. Rejects with a `StartFailure` if the server cannot start.
 */
export async function runServe(flags: FlagsOf<typeof SERVE_OPTIONS>): Promise<void> {
  const options = readServeOptions(flags);
  const { tlsCert, tlsKey } = options;
  const files = tlsCert === null || tlsKey === null ? null : { cert: tlsCert, key: tlsKey };
  const certificate = files === null ? null : readCertificate(files);
  const logger = createLogger(options.logLevel, process.stderr);
  const lastResort = new LastResort(logger);
  // With a certificate, SIGHUP reloads it instead of stopping the server.
  const stopped = awaitStopSignal(files === null ? undefined : ['SIGTERM', 'SIGINT']);
  const { app, mode, failed } = await startServer(options, certificate, logger);
  const updateLocalAccess = (shown: Certificate | null): void =>
    writeLocalAccess(app.dataPath, {
      url: app.url,
      publicUrl: mode.publicUrl,
      token: mode.localAdmin.token,
      certificate: shown?.cert.toString() ?? null,
    });
  updateLocalAccess(certificate);
  const replace = (newCertificate: Certificate): void => {
    app.replaceCertificate(newCertificate);
    updateLocalAccess(newCertificate);
  };
  const keeper = files === null ? undefined : reloadCertificateOnChange(files, logger, replace);
  process.stderr.write(formatBanner(app, mode.publicUrl));
  process.stdout.write(`ready ${app.url}\n`);
  try {
    await Promise.race([stopped, lastResort.failed, failed]);
  } finally {
    keeper?.[Symbol.dispose]();
    removeLocalAccess(app.dataPath);
    await app.close();
  }
  lastResort.throwIfFailed();
}

interface StartedServer {
  readonly app: App;
  readonly mode: ServeMode;
  /** Rejects when a node of a cluster cannot continue. */
  readonly failed: Promise<void>;
}

async function startServer(
  options: ServeOptions,
  certificate: Certificate | null,
  logger: Logger,
): Promise<StartedServer> {
  // Only a node of a cluster loads the code for it.
  if (options.cluster.length > 0 || options.clusterAddress !== null)
    return (await import('./serve-cluster.ts')).startNode(options, certificate, logger, showOwnerLink);
  const mode = serveMode(options, certificate);
  return { app: await startApp(options, mode, logger), mode, failed: new Promise(() => undefined) };
}

function showOwnerLink(link: string): void {
  process.stderr.write(`${formatOwnerLink(link)}\n`);
}

function formatBanner({ dataPath, ownerLinkPath }: App, publicUrl: string): string {
  const owner = ownerLinkPath === null ? '' : formatOwnerLink(`${publicUrl}${ownerLinkPath}`);
  return `
Hearth serves ${publicUrl}

  Console   ${publicUrl}/console
  Data      ${dataPath}
${owner}  Projects  ${programName()} project create <id>
  Stop      Ctrl-C

`;
}

/** Returns the lines of the banner that show a setup link for the first owner. */
function formatOwnerLink(link: string): string {
  return `  Owner     ${link}
            creates the first owner of a project; works once, within 24 hours
`;
}
