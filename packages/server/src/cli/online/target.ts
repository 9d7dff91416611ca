import type { Finding } from '../../backup/report.ts';
import type { ServerLink } from '../transfer/server-link.ts';

/** A running installation that is examined from outside. */
export interface OnlineTarget {
  /** The address that clients use. */
  readonly url: URL;
  /** The host of the address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The project to check; `null` for none. */
  readonly project: string | null;
  /** The server with an administrator credential; `null` if there is none, as for any outsider. */
  readonly link: ServerLink | null;
  readonly nowMs: () => number;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

/** Examines one subject. Resolves to findings even if the server does not answer. */
export type OnlineCheck = (target: OnlineTarget) => Promise<readonly Finding[]>;

/** Time after which a connection or a response counts as missing. */
export const ANSWER_WITHIN_MS = 5_000;

/** Returns the parts of an address that the checks need. */
export function partsOf(url: URL): Pick<OnlineTarget, 'url' | 'host' | 'port' | 'isTls'> {
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return { url, host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls };
}
