/** The address of a Hearth server, in the parts that the SDKs need. */
export interface HearthAddress {
  readonly scheme: 'http' | 'https';
  /** `name` or `name:port`. */
  readonly host: string;
  /** Scheme and host, without a trailing slash. */
  readonly origin: string;
}

/**
 * Parses the address of a server, such as `https://hearth.example.com` or `http://127.0.0.1:9000`. Throws a
 * TypeError if `url` is not an address with http or https, or if it has more than a scheme, a host and a port: the
 * SDKs would silently drop the rest.
 */
export function parseHearthAddress(url: string): HearthAddress {
  const parsed = findUrl(url);
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    throw new TypeError(
      `"${url}" is not the address of a Hearth server: use https:// with the host and the port.`,
    );
  }
  if (parsed.href !== `${parsed.origin}/`) {
    throw new TypeError(`"${url}" has more than a host and a port: use only ${parsed.origin}.`);
  }
  return {
    scheme: parsed.protocol === 'https:' ? 'https' : 'http',
    host: parsed.host,
    origin: parsed.origin,
  };
}

/** Returns undefined if the text is not a URL. `URL.parse` is missing in some browsers that the SDKs support. */
function findUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
