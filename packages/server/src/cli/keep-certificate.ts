import { type Certificate, type CertificateFiles, readCertificate } from '../ops/certificate.ts';
import type { Logger } from '../ops/logger.ts';
import { watchFile } from '../project/watch-file.ts';

/**
 * Reads a certificate again when one of its files changes, and at a hangup, until it is disposed of. Files that do not
 * belong together, as between two writes, leave the present one in use.
 */
export function keepCertificate(
  files: CertificateFiles,
  logger: Logger,
  onFresh: (certificate: Certificate) => void,
): Disposable {
  const reload = (): void => {
    try {
      onFresh(readCertificate(files));
      logger.info({ certificate: files.cert }, 'the certificate was read again');
    } catch (error) {
      logger.error({ err: error }, 'the certificate could not be read again: the one before stays in use');
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
