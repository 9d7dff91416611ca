import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { StartFailure } from '../platform/failures.ts';

/** A TLS certificate in PEM: the certificate of the server with its chain, and the private key. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Paths of the certificate and the key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate and its key. Throws a `StartFailure` if a file cannot be read or the key does not match
 * the certificate.
 */
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
