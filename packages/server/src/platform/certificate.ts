import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartFailure } from './failures.ts';

/** What a server shows who it is with, in PEM: its certificate, those that vouch for it, and its key. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Where they are kept. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Throws a `StartFailure` when a file cannot be read, or the two do not belong together. */
export function readCertificate({ cert, key }: CertificateFiles): Certificate {
  try {
    const certificate = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(certificate);
    return certificate;
  } catch (cause) {
    throw new StartFailure(
      `The certificate ${cert} with the key ${key} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}
