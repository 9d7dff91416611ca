import { createServer } from 'node:net';
import { flood, forEachOf, pause } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';
import { checkServed, watchUsers } from './users.ts';
import { WITHOUT_GIVING_WAY } from './without.ts';

/** Starts a function that accepts connections and never answers. Returns its port. */
async function startSilentFunction(): Promise<number> {
  // Neither the function nor its connections keep this process alive.
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The function has no port.');
  return address.port;
}

/** Returns a preparation that lets a silent function decide about an event. */
function registerFunction(event: string): (hearth: Hearth) => Promise<void> {
  return async (hearth) => {
    const functionUri = `https://127.0.0.1:${await startSilentFunction()}/`;
    const trigger = { functionUri, ...(event === 'beforeSendEmail' ? { failOpen: true } : {}) };
    await hearth.administer(
      'PATCH',
      `/v2/projects/${hearth.target.projectId}/config?updateMask=blockingFunctions.triggers`,
      { blockingFunctions: { triggers: { [event]: trigger } } },
    );
  };
}

/** Asks for an email that resets a password. Returns the status. */
async function askForEmail(client: HttpClient, { apiKey }: Target, email: string): Promise<number> {
  const body = { requestType: 'PASSWORD_RESET', email };
  const { status } = await client.post(`/v1/accounts:sendOobCode?key=${apiKey}`, body);
  return status;
}

/** Fewer than the passwords of a network that may wait to be hashed. */
const SIGN_UPS = 48;

const LANES = 120;
const HOSTS = 10;

/** Asks for emails on which the function never decides, while users ask for other emails. */
const askForEmails: Attack = async (target, signal, tally) => {
  // The users begin when all places are taken.
  void pause(1_500, signal).then(() =>
    watchUsers(target, signal, tally, 200, (user, round) =>
      askForEmail(user, target, `user${round}@example.com`),
    ),
  );
  const clients = Array.from(
    { length: HOSTS },
    (_, host) => new HttpClient(target, { side: 'attacker', host }, LANES / HOSTS),
  );
  await flood(signal, LANES, async (lane, round) => {
    const client = clients[lane % HOSTS];
    if (client === undefined) return;
    tally.addStatus(await askForEmail(client, target, `none${lane}-${round}@example.com`));
    await pause(500, signal);
  });
};

/** Attacks on the functions with which projects decide about events. */
export const HOOK_SCENARIOS: readonly Scenario[] = [
  {
    name: 'emails about which a function never decides',
    attacker:
      'asks for emails on 120 connections from 10 hosts, while the function of the project never answers; users of other hosts ask for emails, too',
    bound:
      'a project has at most 50 requests about messages to functions in progress, of which a network has 25; the network with the most loses one for others',
    args: ['--allow-private-hooks'],
    // The function has failed after 7 s, and the project then sends the emails.
    attackMs: 14_000,
    prepare: registerFunction('beforeSendEmail'),
    attack: askForEmails,
    checkCounts: (counts) => [
      ...checkServed(counts),
      ...((counts['answered 503'] ?? 0) > 0 ? [] : ['The attack did not reach the limit.']),
    ],
    proof: WITHOUT_GIVING_WAY,
  },
  {
    name: 'sign-ups about which a function never decides',
    attacker:
      'signs up on 48 connections from one host, about which the function of the project gives no answer',
    bound: 'of the 100 requests to functions of a project that are about sign-ins, a network has 25',
    args: ['--allow-private-hooks'],
    // The function fails after 7 s, and after 20 failures the server does not call it for a minute.
    attackMs: 10_000,
    prepare: registerFunction('beforeCreate'),
    attack: async (target, signal, tally) => {
      const client = new HttpClient(target, { side: 'attacker', host: 0 }, SIGN_UPS);
      await forEachOf(SIGN_UPS, SIGN_UPS, signal, async (index) => {
        const { status } = await client.post(`/v1/accounts:signUp?key=${target.apiKey}`, {
          email: `new${index}@example.com`,
          password: 'a long and decent passphrase',
        });
        tally.addStatus(status);
      });
    },
    checkCounts: answered(10, 503),
    proof: [
      {
        file: 'hooks/hook-caller.ts',
        from: 'const MAX_CALLS_OF_NETWORK = 25;',
        to: 'const MAX_CALLS_OF_NETWORK = 1e6;',
      },
    ],
  },
];
