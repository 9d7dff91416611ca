/** Where a Hearth server is, in the pieces that the SDKs ask for. */
export interface HearthAddress {
  readonly scheme: 'http' | 'https';
  /** `name` or `name:port`. */
  readonly host: string;
  /** Scheme and host, without a slash at the end. */
  readonly origin: string;
}

/**
 * Reads the address of a server, such as `https://hearth.example.com` or `http://127.0.0.1:9000`.
 * Throws a TypeError for anything but a scheme, a host and a port: the SDKs would silently drop the rest.
 */
export function parseHearthAddress(url: string): HearthAddress {
  const parsed = findUrl(url);
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    throw new TypeError(`"${url}" is no address of a Hearth server: write https://, the host and the port.`);
  }
  if (parsed.href !== `${parsed.origin}/`) {
    throw new TypeError(`"${url}" says more than an address does: write only ${parsed.origin}.`);
  }
  return {
    scheme: parsed.protocol === 'https:' ? 'https' : 'http',
    host: parsed.host,
    origin: parsed.origin,
  };
}

/** As `URL.parse`, which not every browser has that the SDKs run in. */
function findUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
