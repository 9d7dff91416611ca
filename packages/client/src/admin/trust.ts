import * as tls from 'node:tls';

/** The functions of `node:tls` that Node 22.19, 24.5 and later versions have. */
interface DefaultCertificates {
  getCACertificates?(kind: 'default'): string[];
  setDefaultCACertificates?(certificates: readonly string[]): void;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Makes this process trust certificates in PEM in addition to those that it trusts already, for every TLS
 * connection. The database client of firebase-admin accepts no certificates of its own: without this, it would try to
 * connect forever. `NODE_EXTRA_CA_CERTS` has the same effect. Throws if the text has no certificate, and if this version
 * of Node cannot do it and that variable is not set.
 */
export function trustInProcess(ca: string | Buffer): void {
  const added = ca.toString().match(CERTIFICATE);
  if (added === null) throw new TypeError('"ca" has no certificate in PEM.');
  const { getCACertificates, setDefaultCACertificates }: DefaultCertificates = tls;
  if (getCACertificates === undefined || setDefaultCACertificates === undefined) {
    if ((process.env['NODE_EXTRA_CA_CERTS'] ?? '') !== '') return;
    throw new Error(
      `Node ${process.versions.node} cannot trust "ca" for the database: set NODE_EXTRA_CA_CERTS to its file, or use Node 22.19, 24.5 or later.`,
    );
  }
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, ...added.filter((one) => !known.includes(one))]);
}
