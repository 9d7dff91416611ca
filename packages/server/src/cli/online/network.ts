import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type Finding, ok, problem, warning } from '../../backup/report.ts';
import { isPublicAddress } from '../../platform/network/public-address.ts';
import { ANSWER_WITHIN_MS, type OnlineCheck, type OnlineTarget } from './target.ts';

/** Checks that the name leads to addresses, and that each of them answers. */
export const checkDns: OnlineCheck = async ({ host, port, signal }) => {
  if (isIP(host) !== 0)
    return [
      warning('dns', `${host} is an address. Give the server a name, which certificates and apps need.`),
    ];
  let addresses: readonly string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    return [problem('dns', `${host} has no address (${messageOf(cause)}). Add an A or AAAA record.`)];
  }
  const open = await Promise.all(addresses.map((address) => isOpen(address, port, signal)));
  const silent = addresses.filter((_address, index) => open[index] === false);
  const inner = addresses.filter((address) => !isPublicAddress(address));
  const shown = addresses.join(', ');
  if (silent.length > 0)
    return [
      problem(
        'dns',
        `${host} leads to ${silent.join(', ')}, where port ${port} does not answer. Open it, or remove the record.`,
      ),
    ];
  if (inner.length > 0)
    return [warning('dns', `${host} leads to ${shown}; only this network can reach ${inner.join(', ')}.`)];
  return [ok('dns', `${host} leads to ${shown}.`)];
};

/** Returns whether a TCP connection can be opened. */
function isOpen(address: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port, signal });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Time before the end of a certificate at which it should have been renewed. */
const RENEW_BEFORE_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;

/** Checks the certificate and the versions of TLS. */
export const checkTls: OnlineCheck = async (target) => {
  const { url, isTls } = target;
  if (!isTls)
    return [
      problem(
        'tls',
        `${url.origin} has no TLS: passwords and tokens travel in clear text. Give hearth serve a certificate, or put a proxy before it.`,
      ),
    ];
  const outcome = await shakeHands(target, {});
  if (outcome.kind === 'failed')
    return [problem('tls', `No TLS connection to ${url.host} (${outcome.reason}).`)];
  const old = await shakeHands(target, {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  return [
    certificateFinding(outcome, target),
    old.kind === 'done'
      ? problem('tls', `The server accepts ${old.protocol}, which is broken. Allow TLS 1.2 and later only.`)
      : ok('tls', `The connection uses ${outcome.protocol}; the server rejects versions older than TLS 1.2.`),
  ];
};

type Handshake =
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'done';
      readonly protocol: string;
      readonly certificate: PeerCertificate;
      /** Why clients do not trust the certificate; `null` if they do. */
      readonly distrust: string | null;
    };

function shakeHands(
  { host, port, signal }: OnlineTarget,
  versions: { readonly minVersion?: 'TLSv1'; readonly maxVersion?: 'TLSv1.1'; readonly ciphers?: string },
): Promise<Handshake> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connectTls({ host, port, ...servername, rejectUnauthorized: false, ...versions });
    const end = (result: Handshake): void => {
      socket.destroy();
      resolve(result);
    };
    const give = (): void => end({ kind: 'failed', reason: 'interrupted' });
    signal.addEventListener('abort', give, { once: true });
    socket.setTimeout(ANSWER_WITHIN_MS, () => end({ kind: 'failed', reason: 'no answer' }));
    socket.once('error', (error) => end({ kind: 'failed', reason: messageOf(error) }));
    socket.once('secureConnect', () => end(describe(socket)));
  });
}

function describe(socket: TLSSocket): Handshake {
  return {
    kind: 'done',
    protocol: socket.getProtocol() ?? 'TLS',
    certificate: socket.getPeerCertificate(),
    distrust: socket.authorized ? null : messageOf(socket.authorizationError),
  };
}

function certificateFinding(
  { certificate, distrust }: Extract<Handshake, { readonly kind: 'done' }>,
  { host, nowMs }: OnlineTarget,
): Finding {
  const endsMs = Date.parse(certificate.valid_to);
  const days = Math.floor((endsMs - nowMs()) / DAY_MS);
  if (days < 0)
    return problem(
      'tls',
      `The certificate ended ${-days} days ago. Renew it; the server loads the new file by itself.`,
    );
  if (distrust !== null)
    return problem(
      'tls',
      `Clients do not trust the certificate for ${host} (${distrust}). Use the full chain of a public authority.`,
    );
  if (endsMs - nowMs() < RENEW_BEFORE_MS)
    return warning('tls', `The certificate ends in ${days} days. Check that it is renewed.`);
  return ok('tls', `The certificate for ${host} is trusted and ends in ${days} days.`);
}

/** Ports of services that belong behind a firewall, and of Hearth without its proxy. */
const INNER_PORTS: Readonly<Record<number, string>> = {
  2375: 'Docker',
  3306: 'MySQL',
  4222: 'NATS',
  5432: 'PostgreSQL',
  6379: 'Redis',
  9000: 'Hearth without the proxy',
  9090: 'Prometheus',
  9200: 'Elasticsearch',
  11211: 'memcached',
  27017: 'MongoDB',
};

/** Checks that only the port of the server is open to the network. */
export const checkPorts: OnlineCheck = async ({ host, port, signal }) => {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (!addresses.some(({ address }) => isPublicAddress(address)))
    return [
      warning(
        'ports',
        `Not checked, because ${host} is not a public address. Run the command from another network.`,
      ),
    ];
  const found = await Promise.all(
    Object.entries(INNER_PORTS)
      .filter(([inner]) => Number(inner) !== port)
      .map(async ([inner, service]) =>
        (await isOpen(host, Number(inner), signal)) ? `${inner} (${service})` : undefined,
      ),
  );
  const open = found.filter((one) => one !== undefined);
  return open.length === 0
    ? [ok('ports', `None of ${Object.keys(INNER_PORTS).length} ports of inner services answers.`)]
    : [
        problem(
          'ports',
          `The network reaches ${open.join(', ')}. Close them in the firewall, or bind the services to 127.0.0.1.`,
        ),
      ];
};

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
