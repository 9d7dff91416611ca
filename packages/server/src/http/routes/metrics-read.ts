import type { IncomingMessage } from 'node:http';
import { metricsText } from '../../activity/metrics-text.ts';
import { isLoopback } from '../../ops/is-loopback.ts';
import { type Answer, wholeText } from '../answer.ts';
import type { HttpBackend } from '../backend.ts';

/** What proxies say of those they speak for. */
const OF_PROXIES = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via'];

/** `GET /metrics`: what goes on, for Prometheus. */
export async function readMetrics({
  backend,
}: {
  readonly backend: Pick<HttpBackend, 'activity' | 'serverActivity'>;
}): Promise<Answer> {
  const { activity, serverActivity } = backend;
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: wholeText(metricsText(activity.totals, serverActivity.read())),
  };
}

/** Does a program on this machine ask, for nobody else? */
export function asksFromHere({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  // Where IPv4 comes by way of IPv6, so it is written.
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && OF_PROXIES.every((name) => headers[name] === undefined);
}
