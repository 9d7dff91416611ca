import { isLoopback } from '../ops/is-loopback.ts';
import type { ServeOptions } from '../ops/serve-options.ts';
import { StartFailure } from '../ops/start-failure.ts';

type Ways = Pick<ServeOptions, 'host' | 'port' | 'publicUrl' | 'tlsCert' | 'tlsKey' | 'trustProxy'>;

/** Passwords and tokens travel over TLS, or not beyond this machine. Throws a `StartFailure` that says what to give. */
export function mustBeSafe({ host, port, publicUrl, tlsCert, tlsKey, trustProxy }: Ways): void {
  const isBehindProxy = trustProxy.length > 0;
  if ((tlsCert === null) !== (tlsKey === null))
    throw new StartFailure('--tls-cert and --tls-key belong together: give both or neither.');
  if (tlsCert !== null && isBehindProxy)
    throw new StartFailure(
      '--trust-proxy is for a proxy that speaks TLS with clients: leave out --tls-cert and --tls-key.',
    );
  if (!isLoopback(host) && tlsCert === null && !isBehindProxy)
    throw new StartFailure(
      `${host} is an address beyond this machine: give --tls-cert and --tls-key, or --trust-proxy with the address of a proxy that speaks TLS with clients.`,
    );
  if (publicUrl === null && (!isLoopback(host) || isBehindProxy || port === 0))
    throw new StartFailure(
      'Give the address that clients use with --public-url, such as https://hearth.example.com.',
    );
  if (publicUrl?.startsWith('http:') === true && !isLoopback(hostnameOf(publicUrl)))
    throw new StartFailure(`${publicUrl} is beyond this machine: --public-url must begin with https:.`);
}

function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
