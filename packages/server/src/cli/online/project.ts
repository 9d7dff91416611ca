import { resolve4, resolve6, resolveMx, resolveTxt } from 'node:dns/promises';
import { type Finding, ok, problem, warning } from '../../backup/report.ts';
import { readText, send } from '../transfer/server-link.ts';
import { messageOf } from './network.ts';
import { requestAsOutsider } from './request.ts';
import type { OnlineCheck, OnlineTarget } from './target.ts';

/** Instructions to give the command the credential of an administrator. */
const NEEDS_CREDENTIAL =
  'Run the command on the server, as its user and with --data, or give --token and --project.';

interface Insider extends OnlineTarget {
  readonly link: NonNullable<OnlineTarget['link']>;
  readonly project: string;
}

function isInsider(target: OnlineTarget): target is Insider {
  return target.link !== null && target.project !== null;
}

/** Sends a request as administrator. Rejects if the server does not answer 200. */
async function ask(
  { link, signal }: Insider,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await send(link, { method, path, signal, ...content });
  const text = await readText(answer);
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
  return Object(JSON.parse(text));
}

/** Runs a check that needs a credential. */
function forInsiders(name: string, check: (target: Insider) => Promise<readonly Finding[]>): OnlineCheck {
  return async (target) => {
    if (!isInsider(target)) return [warning(name, `Not checked. ${NEEDS_CREDENTIAL}`)];
    try {
      return await check(target);
    } catch (cause) {
      return [warning(name, `Not checked (${messageOf(cause)}).`)];
    }
  };
}

/** Checks whether everyone may read or write whole databases: from outside, and with a credential by their rules. */
export const checkRules: OnlineCheck = async (target) => {
  const { project } = target;
  if (project === null) return [warning('rules', 'Not checked. Name the project with --project.')];
  const outside = await checkReadAsOutsider(target, `${project}-default-rtdb`);
  return isInsider(target) ? [...outside, ...(await checkRulesOfDatabases(target))] : outside;
};

async function checkReadAsOutsider(
  { url, signal }: OnlineTarget,
  database: string,
): Promise<readonly Finding[]> {
  try {
    const path = `/.json?ns=${database}&shallow=true`;
    const { status } = await requestAsOutsider(new URL(path, url), signal);
    return status === 200
      ? [problem('rules', `Everyone can read all of ${database}. Publish rules that name who may read.`)]
      : [ok('rules', `Outsiders cannot read all of ${database} (${status}).`)];
  } catch (cause) {
    return [warning('rules', `Not checked (${messageOf(cause)}).`)];
  }
}

const checkRulesOfDatabases = forInsiders('rules', async (target) => {
  const { databases } = await ask(target, 'GET', `/api/projects/${target.project}/databases?limit=100`);
  const names: readonly string[] = Array.isArray(databases) ? databases.map(({ name }) => String(name)) : [];
  const open: string[] = [];
  for (const name of names)
    for (const [operation, value] of [
      ['read', undefined],
      ['write', { probe: true }],
    ] as const) {
      const question = { operation, path: '/', auth: null, ...(value === undefined ? {} : { value }) };
      const { isAllowed } = await ask(target, 'POST', `/api/databases/${name}/rules/explain`, question);
      if (isAllowed === true) open.push(`${operation} ${name}`);
    }
  return open.length > 0
    ? [
        problem(
          'rules',
          `By the published rules, everyone may ${open.join(', and ')}. Publish rules that name who may.`,
        ),
      ]
    : [ok('rules', `None of ${names.length} databases is open to everyone as a whole.`)];
});

/** Checks that every member has a second factor, and that more than one owner can sign in. */
export const checkMembers = forInsiders('members', async (target) => {
  const { members } = await ask(target, 'GET', `/api/projects/${target.project}/members`);
  const list: readonly unknown[] = Array.isArray(members) ? members : [];
  const owners = list.filter((member) => Object(member).role === 'owner');
  const without = list
    .filter((member) => Object(member).hasSecondFactor !== true)
    .map((member) => String(Object(member).email ?? Object(member).uid));
  if (owners.length === 0)
    return [
      problem('members', 'The project has no owner. Restart the server, and open the link that it prints.'),
    ];
  return [
    ...(without.length === 0
      ? []
      : [
          warning(
            'members',
            `Without a second factor: ${without.join(', ')}. The console asks for one at the next sign-in; remove those who no longer need access.`,
          ),
        ]),
    owners.length === 1
      ? warning(
          'members',
          'The project has one owner. Add a second one, who can act if the first cannot sign in.',
        )
      : ok('members', `${owners.length} owners and ${list.length - owners.length} other members.`),
  ];
});

/** Checks the mail queue, and the DNS records of the sender's domain, without which mails end up as spam. */
export const checkMail = forInsiders('mail', async (target) => {
  const path = `/api/projects/${target.project}/mail`;
  const { waiting, dead, lastFailure } = await ask(target, 'GET', path);
  const { from } = await ask(target, 'POST', `${path}/preview`, {});
  const address = String(Object(from).address ?? '');
  const reason = Object(lastFailure).reason;
  const findings: Finding[] = [];
  if (Number(dead) > 0)
    findings.push(
      problem(
        'mail',
        `${dead} emails could not be delivered${reason === undefined ? '' : ` (last: ${reason})`}. See Sign-in settings in the console.`,
      ),
    );
  if (Number(waiting) > 0)
    findings.push(
      warning(
        'mail',
        `${waiting} emails wait to be sent. Set a mail server with --smtp-url or in the sign-in settings.`,
      ),
    );
  return [...findings, ...(await checkSender(address))];
});

async function checkSender(address: string): Promise<readonly Finding[]> {
  const domain = address.split('@')[1] ?? '';
  if (domain === '' || !domain.includes('.'))
    return [
      warning('mail', 'No mail server with a sender address is set. Users cannot reset their passwords.'),
    ];
  const [spf, dmarc, mx] = await Promise.all([
    hasRecord(() => resolveTxt(domain), /^v=spf1\b/i),
    hasRecord(() => resolveTxt(`_dmarc.${domain}`), /^v=DMARC1\b/i),
    canReceive(domain),
  ]);
  const missing = [
    ...(spf ? [] : [`an SPF record (TXT "v=spf1 …" of ${domain})`]),
    ...(dmarc ? [] : [`a DMARC record (TXT "v=DMARC1; …" of _dmarc.${domain})`]),
    ...(mx ? [] : [`an MX record of ${domain}, for answers and bounces`]),
  ];
  return missing.length === 0
    ? [ok('mail', `The sender ${address} has SPF, DMARC and MX records.`)]
    : [
        warning(
          'mail',
          `For the sender ${address}, add ${missing.join(', and ')}. Without them, mails end up as spam.`,
        ),
      ];
}

async function hasRecord(resolve: () => Promise<readonly string[][]>, form: RegExp): Promise<boolean> {
  const records = await resolve().catch(() => []);
  return records.some((parts) => form.test(parts.join('')));
}

async function canReceive(domain: string): Promise<boolean> {
  const [mx, v4, v6] = await Promise.all([
    resolveMx(domain).catch(() => []),
    resolve4(domain).catch(() => []),
    resolve6(domain).catch(() => []),
  ]);
  return mx.length + v4.length + v6.length > 0;
}
