import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/** The functions of `node:tls` that only Node 22.19, 24.5 and later versions have. */
interface DefaultCertificates {
  getCACertificates?(kind: 'default'): string[];
  setDefaultCACertificates?(certificates: readonly string[]): void;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Makes this process trust the certificates in `ca`, in PEM, for every TLS connection, in addition to those that it
 * trusts already. The database client of firebase-admin has no option for certificates, and would try forever to
 * connect to a server that it does not trust. Throws if `ca` has no certificate. A version of Node without
 * `tls.setDefaultCACertificates` trusts further certificates only through `NODE_EXTRA_CA_CERTS`: there, this function
 * throws unless the file of that variable has all of them.
 */
export function trustInProcess(ca: string | Buffer): void {
  const added = certificatesIn(ca.toString());
  if (added.length === 0) throw new TypeError('"ca" has no certificate in PEM.');
  const { getCACertificates, setDefaultCACertificates }: DefaultCertificates = tls;
  if (getCACertificates !== undefined && setDefaultCACertificates !== undefined) {
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, ...added.filter((one) => !known.includes(one))]);
    return;
  }
  const extra = readExtraCertificates();
  if (added.every((one) => extra.includes(one))) return;
  throw new Error(
    `Node ${process.versions.node} cannot trust "ca" for the database: set NODE_EXTRA_CA_CERTS to a file with these certificates, or use Node 22.19, 24.5 or later.`,
  );
}

function certificatesIn(text: string): readonly string[] {
  return text.replaceAll('\r', '').match(CERTIFICATE) ?? [];
}

/** Returns the certificates that Node read at its start from `NODE_EXTRA_CA_CERTS`. */
function readExtraCertificates(): readonly string[] {
  const path = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  try {
    return path === '' ? [] : certificatesIn(readFileSync(path, 'utf8'));
  } catch {
    // Node has warned at its start that it cannot read the file, and continues without it.
    return [];
  }
}
