import { pbkdf2Sync } from 'node:crypto';
import type { Page } from 'playwright';
import { openChromium } from '../console/browser.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { readCpuUs } from '../measure/process.ts';
import { median, percentile } from '../measure/time.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions, Target } from './scenario.ts';

/** The cost of a challenge in a new project, in rounds of PBKDF2. */
const DEFAULT_COST = 4_000;
/** Mean number of keys to derive for one solution. */
const KEYS_PER_SOLUTION = 256;
const KEY_BYTES = 32;
const TIMES_SLOWER = 4;

const CHECK_TARGET: Target = { kind: 'below', bound: 50 };
const SOLVED_TARGET: Target = { kind: 'below', bound: 1_000 };
const ATTACK_TARGET: Target = { kind: 'atLeast', bound: 100 };
const TASK_TARGET: Target = { kind: 'below', bound: 50 };

/** Measures the cost of a challenge for the server, for an attacker, and for a page on a slow device. */
export async function measureCaptcha({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const checks = await withServer(subject, (url, pid) => measureChecks(url, pid, quick));
  progress(
    `captcha: a check costs ${checks.checkUs.toFixed(0)} µs, a derivation ${checks.derivationUs.toFixed(0)} µs`,
  );
  const attackMs = measureAttack(quick ? 20 : 500);
  progress(`captcha: an attempt costs an attacker ${attackMs.toFixed(0)} ms`);
  // A server of its own, because the wrong solutions raised the cost of challenges at the other one.
  const [emulated, costly] = await withServer(subject, async (url) => {
    const count = quick ? 3 : 40;
    const slowed = await measurePage(url, count, { by: TIMES_SLOWER, cost: DEFAULT_COST });
    return [slowed, await measurePage(url, count, { by: 1, cost: DEFAULT_COST * TIMES_SLOWER })] as const;
  });
  return [
    figure(
      'processor time for all checks of a solution before the derivation',
      'µs',
      checks.checkUs,
      CHECK_TARGET,
    ),
    figure('processor time for the derivation', 'µs', checks.derivationUs),
    figure('processor time for an attempt, with OpenSSL on one core', 'ms', attackMs, ATTACK_TARGET),
    figure(
      `time to solve in Chromium that emulates a processor ${TIMES_SLOWER} times slower, p50`,
      'ms',
      median(emulated.tookMs),
      SOLVED_TARGET,
    ),
    figure('the same, p95', 'ms', percentile(emulated.tookMs, 0.95)),
    figure('longest task of the page while it solves one', 'ms', emulated.longestTaskMs),
    figure(
      `time to solve a challenge of ${TIMES_SLOWER} times the cost in Chromium, p50`,
      'ms',
      median(costly.tookMs),
      SOLVED_TARGET,
    ),
    figure('the same, p95', 'ms', percentile(costly.tookMs, 0.95)),
    figure('longest task of the page while it solves one', 'ms', costly.longestTaskMs, TASK_TARGET),
  ];
}

async function withServer<T>(
  subject: ScenarioOptions['subject'],
  measure: (url: string, pid: number) => Promise<T>,
): Promise<T> {
  using directory = new TemporaryDirectory();
  await using server = await ServerProcess.start(subject, directory.path);
  return await measure(`http://127.0.0.1:${server.port}`, server.pid);
}

function figure(name: string, unit: string, value: number, target: Target = { kind: 'none' }): Figure {
  return { name, unit, value, compared: undefined, target };
}

async function post(url: string, path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.text();
}

async function configure(url: string, recaptchaConfig: object): Promise<void> {
  const answer = await fetch(`${url}/v2/projects/demo/config?updateMask=recaptchaConfig`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ recaptchaConfig }),
  });
  if (!answer.ok) throw new Error(`the settings were rejected: ${await answer.text()}`);
}

/** Returns a token with a new challenge and a wrong solution. */
async function wrongToken(url: string): Promise<string> {
  const challenge = JSON.parse(await post(url, '/__/auth/challenge', { apiKey: 'bench', action: 'verify' }));
  const solution = { counter: 1, derivedKey: '00'.repeat(KEY_BYTES), time: 1 };
  return `alt2.${Buffer.from(JSON.stringify({ c: challenge, s: solution })).toString('base64url')}`;
}

interface CheckCosts {
  readonly checkUs: number;
  readonly derivationUs: number;
}

/** Measures the processor time of requests with a solution, compared with requests with a text of the same length. */
async function measureChecks(url: string, pid: number, quick: boolean): Promise<CheckCosts> {
  await configure(url, { phoneEnforcementState: 'ENFORCE', hearth: { cost: DEFAULT_COST } });
  const count = quick ? 100 : 1_000;
  const derived = quick ? 20 : 1_000;
  const send = (body: object): Promise<string> =>
    post(url, '/v1/accounts:sendVerificationCode?key=bench', { phoneNumber: '+16505550101', ...body });
  const cost = async (times: number, body: (index: number) => object, expected: string): Promise<number> => {
    const beforeUs = readCpuUs(pid);
    for (let index = 0; index < times; index += 1) {
      const answer = await send(body(index));
      if (!answer.includes(expected)) throw new Error(`unexpected response: ${answer}`);
    }
    return (readCpuUs(pid) - beforeUs) / times;
  };
  const failed = 'CAPTCHA_CHECK_FAILED';
  // A wrong solution raises the cost of the next challenges, so all are issued before the first is used.
  const tokens: string[] = [];
  while (tokens.length < derived) tokens.push(await wrongToken(url));
  const derivedUs = await cost(derived, (index) => ({ recaptchaToken: tokens[index] }), failed);
  const differences: number[] = [];
  const checked: number[] = [];
  for (let round = 0; round < (quick ? 2 : 15); round += 1) {
    // A used challenge passes all checks but the last one before the derivation, until it expires.
    const used = await wrongToken(url);
    await send({ recaptchaToken: used });
    // A token of another kind has the same length and the same response.
    const other = used.replace('alt2.', 'none.');
    const plainUs = await cost(count, () => ({ recaptchaToken: other }), failed);
    const checkedUs = await cost(count, () => ({ recaptchaToken: used }), failed);
    differences.push(checkedUs - plainUs);
    checked.push(checkedUs);
  }
  return { checkUs: median(differences), derivationUs: derivedUs - median(checked) };
}

/** Returns the mean processor time of a solution in native code, in ms. */
function measureAttack(derivations: number): number {
  const salt = Buffer.alloc(16, 1);
  const password = Buffer.alloc(20, 2);
  const before = process.cpuUsage();
  for (let count = 0; count < derivations; count += 1)
    pbkdf2Sync(password, salt, DEFAULT_COST, KEY_BYTES, 'sha256');
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / derivations / 1_000) * KEYS_PER_SOLUTION;
}

/** Runs in the page. Returns the time in which it got a token, in ms, and the longest task. */
const SOLVE = `(async () => {
  let longestTaskMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  });
  observer.observe({ type: 'longtask' });
  const startedAtMs = performance.now();
  const token = await grecaptcha.enterprise.execute('hearth-pow.bench', { action: 'verify' });
  if (!token.startsWith('alt2.')) throw new Error(token);
  return { tookMs: performance.now() - startedAtMs, longestTaskMs };
})()`;

interface PageTimes {
  readonly tookMs: readonly number[];
  readonly longestTaskMs: number;
}

/**
 * Solves challenges in a page as if the processor were slower. The emulation of the browser slows only the page's thread, but
 * other threads derive the keys, so the challenges cost more instead.
 */
async function measurePage(
  url: string,
  count: number,
  { by, cost }: { readonly by: number; readonly cost: number },
): Promise<PageTimes> {
  await configure(url, { hearth: { cost } });
  await using browser = await openChromium();
  const page: Page = await browser.newPage();
  await page.goto(`${url}/__/nothing`);
  await page.addScriptTag({ url: `${url}/__/auth/shim.js` });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: by });
  // The first solution compiles the script.
  await page.evaluate(SOLVE);
  const solved: { tookMs: number; longestTaskMs: number }[] = [];
  for (let round = 0; round < count; round += 1) solved.push(await page.evaluate(SOLVE));
  return {
    tookMs: solved.map(({ tookMs }) => tookMs),
    longestTaskMs: Math.max(...solved.map(({ longestTaskMs }) => longestTaskMs)),
  };
}
