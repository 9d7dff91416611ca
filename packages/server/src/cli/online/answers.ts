import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Finding, ok, problem, warning } from '../../backup/report.ts';
import { isLoopback } from '../../platform/network-address.ts';
import { messageOf } from './network.ts';
import { type OutsideAnswer, requestAsOutsider } from './request.ts';
import { ANSWER_WITHIN_MS, type OnlineCheck, type OnlineTarget } from './target.ts';

/** Headers of the console, each with the attack that it prevents. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': 'scripts of others in the console',
  'x-content-type-options': 'files that browsers take for scripts',
  'referrer-policy': 'addresses of the console at other sites',
};

const SECOND_MS = 1_000;
/** Clock differences at which tokens begin to fail, and at which all fail. */
const CLOCK_WARNING_MS = 30 * SECOND_MS;
const CLOCK_PROBLEM_MS = 240 * SECOND_MS;

/** Checks that the server serves under its name, with its headers, and with the right time. */
export const checkAnswers: OnlineCheck = async (target) => {
  const { url, nowMs, signal } = target;
  let health: OutsideAnswer;
  const startedMs = nowMs();
  try {
    health = await requestAsOutsider(new URL('/healthz', url), signal);
  } catch (cause) {
    return [
      problem(
        'server',
        `${url.origin}/healthz does not answer (${messageOf(cause)}). Start the server, or check the proxy.`,
      ),
    ];
  }
  if (health.status === 403)
    return [
      problem(
        'server',
        `The server rejects the name ${url.host}. Start it with --public-url ${url.origin}, or add --allow-host ${url.hostname}.`,
      ),
    ];
  if (health.status !== 200)
    return [
      problem(
        'server',
        `${url.origin}/healthz answers ${health.status} instead of 200. Check that the address leads to Hearth.`,
      ),
    ];
  return [
    ok('server', `${url.origin} serves.`),
    clockFinding(health, startedMs, nowMs()),
    ...(await checkHeaders(target)),
  ];
};

function clockFinding({ headers }: OutsideAnswer, startedMs: number, endedMs: number): Finding {
  const serverMs = Date.parse(headers.date ?? '');
  if (Number.isNaN(serverMs)) return warning('clock', 'The response has no Date header. Check the proxy.');
  // The header has whole seconds.
  const early = startedMs - serverMs - SECOND_MS;
  const late = serverMs - endedMs;
  const offMs = Math.max(early, late, 0);
  const seconds = Math.ceil(offMs / SECOND_MS);
  const sentence = `The clock of the server and that of this machine differ by ${seconds} s. Synchronize both, for example with chrony: tokens depend on the time.`;
  if (offMs > CLOCK_PROBLEM_MS) return problem('clock', sentence);
  if (offMs > CLOCK_WARNING_MS) return warning('clock', sentence);
  return ok('clock', 'The clock of the server agrees with that of this machine.');
}

async function checkHeaders({ url, isTls, signal }: OnlineTarget): Promise<readonly Finding[]> {
  const { status, headers } = await requestAsOutsider(new URL('/console/', url), signal);
  if (status !== 200)
    return [
      problem(
        'headers',
        `The console at ${url.origin}/console/ answers ${status}. Check the proxy; it must pass on all paths.`,
      ),
    ];
  const missing = Object.entries(HEADERS).filter(([name]) => headers[name] === undefined);
  const findings = missing.map(([name, danger]) =>
    problem('headers', `The console lacks the header ${name}, which prevents ${danger}. Check the proxy.`),
  );
  if (isTls && headers['strict-transport-security'] === undefined)
    findings.push(
      problem(
        'headers',
        `Responses lack Strict-Transport-Security. Start the server with --public-url ${url.origin}.`,
      ),
    );
  return findings.length > 0 ? findings : [ok('headers', 'The console has its security headers.')];
}

/** Checks that plain HTTP at port 80 leads to TLS, or does not answer. */
export const checkPlainHttp: OnlineCheck = async ({ url, isTls, signal }) => {
  if (!isTls) return [];
  const plain = new URL(`http://${url.hostname}/console/`);
  try {
    const { status, headers } = await requestAsOutsider(plain, signal);
    const target = headers.location ?? '';
    return status >= 300 && status < 400 && target.startsWith('https:')
      ? [ok('http', `Port 80 redirects to ${target}.`)]
      : [
          problem(
            'http',
            `Port 80 answers ${status} without TLS. Redirect it to ${url.origin}, or close it.`,
          ),
        ];
  } catch {
    return [ok('http', 'Port 80 does not answer, so that no request travels without TLS.')];
  }
};

/** Checks that WebSocket connections work. Without them, every client polls. */
export const checkWebSocket: OnlineCheck = async ({ url, isTls, project, signal }) => {
  const address = new URL(`/.ws?v=5&ns=${project ?? 'doctor'}-default-rtdb`, url);
  address.protocol = isTls ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, { handshakeTimeout: ANSWER_WITHIN_MS, rejectUnauthorized: false });
  // A late error, after the first one or after the message, changes nothing.
  socket.on('error', () => undefined);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    await once(socket, 'message', { signal: limit });
    return [ok('websocket', 'WebSockets reach the server.')];
  } catch (cause) {
    return [
      problem(
        'websocket',
        `WebSockets do not reach the server (${messageOf(cause)}), so clients use long polling. Make the proxy forward the headers Upgrade and Connection.`,
      ),
    ];
  } finally {
    socket.terminate();
  }
};

/** Checks that nothing for administrators is open to everyone. */
export const checkShortcuts: OnlineCheck = async ({ url, host, project, signal }) => {
  const name = project ?? 'demo';
  const owner = { authorization: 'Bearer owner' };
  try {
    const [rules, accounts, metrics] = await Promise.all([
      requestAsOutsider(new URL(`/.settings/rules.json?ns=${name}-default-rtdb`, url), signal, owner),
      requestAsOutsider(new URL(`/emulator/v1/projects/${name}/config`, url), signal),
      requestAsOutsider(new URL('/metrics', url), signal),
    ]);
    const findings: Finding[] = [];
    if (rules.status === 200 || accounts.status === 200)
      findings.push(
        problem(
          'mode',
          'The server runs in development mode: everyone who reaches it is an administrator. Stop it, and start hearth serve.',
        ),
      );
    // Programs on the same machine may read them.
    if (metrics.status === 200 && !isLoopback(host))
      findings.push(problem('metrics', 'Everyone can read /metrics. Block the path in the proxy.'));
    return findings.length > 0
      ? findings
      : [ok('mode', 'Shortcuts of development mode and metrics are closed to outsiders.')];
  } catch (cause) {
    return [warning('mode', `Not checked (${messageOf(cause)}).`)];
  }
};
