import type { IncomingMessage } from 'node:http';
import { metricsText } from '../../activity/metrics-text.ts';
import { type Answer, wholeText } from '../answer.ts';
import type { HttpBackend } from '../backend.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

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
  return LOOPBACK.test(socket.remoteAddress ?? '') && OF_PROXIES.every((name) => headers[name] === undefined);
}
