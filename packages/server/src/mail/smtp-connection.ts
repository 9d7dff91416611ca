import { connect, isIP, type Socket } from 'node:net';
import { type AddressCheck, checkedLookup, Unreachable } from '../platform/network/public-address.ts';

interface MailServerAddress {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

const FORBIDDEN =
  'The mail server is not at a public address. The operator can allow other addresses with --allow-private-smtp.';

/** Connects to an allowed address of a host. Rejects with `Unreachable`. */
export function connectChecked(
  { host, port, timeoutMs }: MailServerAddress,
  mayReach: AddressCheck,
): Promise<Socket> {
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.reject(new Unreachable(FORBIDDEN));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: checkedLookup(mayReach, FORBIDDEN) });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error instanceof Unreachable ? error : new Unreachable(error.message, { cause: error }));
    };
    const onTimeout = (): void => fail(new Error('The connection timed out.'));
    socket.setTimeout(timeoutMs, onTimeout);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail).off('timeout', onTimeout).setTimeout(0);
      resolve(socket);
    });
  });
}
