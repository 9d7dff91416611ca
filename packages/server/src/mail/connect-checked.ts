import { lookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';

/** No connection was made. The message is for operators. */
export class Unreachable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreachable';
  }
}

/** Is this IP address one that may be connected to? */
export type AddressCheck = (address: string) => boolean;

interface Place {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

const FORBIDDEN =
  'The mail server is not at a public address. Whoever runs Hearth allows others by --allow-private-smtp.';

/** Connects to a host at an address that may be. Rejects with `Unreachable`. */
export function connectChecked({ host, port, timeoutMs }: Place, mayReach: AddressCheck): Promise<Socket> {
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.reject(new Unreachable(FORBIDDEN));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: checkedLookup(mayReach) });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error instanceof Unreachable ? error : new Unreachable(error.message, { cause: error }));
    };
    const giveUp = (): void => fail(new Error('Connecting took too long.'));
    socket.setTimeout(timeoutMs, giveUp);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail).off('timeout', giveUp).setTimeout(0);
      resolve(socket);
    });
  });
}

/** Finds those addresses of a host that may be. One of them is connected to, and nothing looks the name up again. */
function checkedLookup(mayReach: AddressCheck): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const open = addresses.filter(({ address }) => mayReach(address));
      const [first] = open;
      if (first === undefined) return done(new Unreachable(FORBIDDEN), []);
      return options.all === true ? done(null, open) : done(null, first.address, first.family);
    });
  };
}
