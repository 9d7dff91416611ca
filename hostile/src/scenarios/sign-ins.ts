import { forEachOf, pause } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered, floodRequests } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';
import { checkServed, watchUsers } from './users.ts';
import { WITHOUT_GIVING_WAY } from './without.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const APP_PAGE = 'https://app.example/';
const APP_ID = '1:1:web:1';

async function configureGithub(hearth: Hearth): Promise<void> {
  await hearth.administer(
    'PATCH',
    `/v2/projects/${hearth.target.projectId}/config?updateMask=authorizedDomains`,
    { authorizedDomains: ['app.example'] },
  );
  await hearth.administer(
    'POST',
    `/v2/projects/${hearth.target.projectId}/defaultSupportedIdpConfigs?idpId=github.com`,
    { enabled: true, clientId: 'client', clientSecret: 'secret' },
  );
}

/** Opens the page that sends a browser to the provider. Returns the status: 303 if the sign-in has begun. */
async function openPopup(client: HttpClient, { apiKey }: Target): Promise<number> {
  const query = new URLSearchParams({
    apiKey,
    appName: '[DEFAULT]',
    authType: 'signInViaPopup',
    redirectUrl: APP_PAGE,
    eventId: '1',
    providerId: 'github.com',
  });
  const { status } = await client.ask({ path: `/__/auth/handler?${query}` });
  return status;
}

/** More popups than one project has places for. */
const MANY_POPUPS = 2_400;

/** Opens popups from many hosts and never ends them, while a user opens one. */
const openPopups: Attack = async (target, signal, tally) => {
  const hosts = 120;
  const clients = Array.from(
    { length: hosts },
    (_, host) => new HttpClient(target, { side: 'attacker', host }),
  );
  void watchUsers(target, signal, tally, 303, (user) => openPopup(user, target));
  await forEachOf(MANY_POPUPS, hosts, signal, async (index) => {
    const client = clients[index % hosts];
    if (client !== undefined) tally.addStatus(await openPopup(client, target));
  });
  // The user must be served when all places are taken, too.
  await pause(2_000, signal);
};

/** Attacks on sign-ins that go through other sites, on App Check and on passkeys. */
export const SIGN_IN_SCENARIOS: readonly Scenario[] = [
  {
    name: 'popups that never end',
    attacker: 'begins 2,400 sign-ins at a provider from 120 hosts, and ends none; a user begins some, too',
    bound:
      'of 2,000 sign-ins of a project, a network has 50; the network with the most loses its oldest, and no newcomer is rejected',
    prepare: configureGithub,
    lastsUntilComplete: true,
    attack: openPopups,
    checkCounts: (counts) => [...checkServed(counts), ...answered(2_200, 303)(counts)],
    proof: WITHOUT_GIVING_WAY,
  },
  {
    name: 'exchanges of garbage for App Check tokens',
    attacker:
      'sends debug tokens that do not exist, and custom tokens that no backend has signed, from 10 hosts',
    bound: 'a token is found by its hash, or not; equal events are one entry of the audit log',
    unproven: 'the limits of the audit log stand behind this one',
    prepare: async (hearth) => {
      await hearth.administer(
        'PATCH',
        `/v2/projects/${hearth.target.projectId}/config?updateMask=appCheckConfig.apps`,
        { appCheckConfig: { apps: [APP_ID] } },
      );
    },
    attack: floodRequests({
      lanes: 20,
      hosts: 10,
      request: ({ apiKey, projectId }, lane, round) => ({
        method: 'POST',
        path: `/v1/projects/${projectId}/apps/${APP_ID}:${round % 2 === 0 ? 'exchangeDebugToken' : 'exchangeCustomToken'}?key=${apiKey}`,
        headers: JSON_TYPE,
        body: JSON.stringify({
          debug_token: `none-${lane}-${round}`,
          custom_token: `e30.e30.${lane}${round}`,
        }),
      }),
    }),
    checkCounts: answered(200, 400, 401, 403, 429),
    allows: {
      diskMiB: 8,
      reason: 'nothing but a count is stored, so this bound is lower than the common one',
    },
  },
  {
    name: 'challenges of passkeys in a loop',
    attacker: 'asks for 1,300 challenges to sign in with a passkey from one host, and uses none',
    bound: 'nothing is kept for a challenge before it is used, and a host gets 1,000 at once',
    prepare: async (hearth) => {
      await hearth.administer(
        'PATCH',
        `/v2/projects/${hearth.target.projectId}/config?updateMask=signIn.hearth.passkeys`,
        { signIn: { hearth: { passkeys: { enabled: true, rpId: 'hearth.test' } } } },
      );
    },
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const client = new HttpClient(target, { side: 'attacker', host: 0 }, 20);
      await forEachOf(1_300, 20, signal, async () => {
        const path = `/v2/accounts/passkeySignIn:start?key=${target.apiKey}`;
        tally.addStatus((await client.post(path, {})).status);
      });
    },
    checkCounts: answered(100, 400, 429),
    proof: [
      {
        file: 'throttling/limits.ts',
        from: 'passkeys: { host: { burst: 1_000, perHour: 10_000 }',
        to: 'passkeys: { host: { burst: 1e9, perHour: 1e9 }',
      },
    ],
  },
];
