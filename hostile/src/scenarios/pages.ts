import { answered, floodRequests } from './floods.ts';
import type { Scenario } from './scenario.ts';
import { WITHOUT_ADMIN_GATE, WITHOUT_REQUEST_BUDGET } from './without.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

const NONE = '0'.repeat(43);

/** Attacks on the hosted pages, on the results of redirects, and on imports and exports. */
export const PAGE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'hosted pages',
    attacker:
      'loads the pages of sign-ins, of email links and of redirects with parameters that it makes up, without pause',
    bound: 'pages are files in memory, and nothing is kept for a request',
    unproven: 'no limit is involved: a page is sent as it is',
    attack: floodRequests({
      lanes: 20,
      hosts: 10,
      request: ({ apiKey }, lane, round) => {
        const code = `${lane}x${round}`.padStart(40, 'a');
        const paths = [
          `/__/auth/sign-in?apiKey=${apiKey}&redirectUrl=https%3A%2F%2F${code}.example&state=${code}`,
          `/__/auth/action?apiKey=${apiKey}&mode=resetPassword&oobCode=${code}`,
          `/__/auth/iframe?apiKey=${apiKey}&v=${code}`,
          `/__/auth/handler?apiKey=${apiKey}&providerId=google.com&redirectUrl=https%3A%2F%2F${code}.example`,
          `/__/auth/assets/${code}.js`,
        ];
        return { path: paths[round % paths.length] ?? '' };
      },
    }),
    checkCounts: answered(200, 200, 303, 400, 404),
  },
  {
    name: 'made-up codes of redirects',
    attacker: 'asks for the results of redirects with codes that it makes up, from 1 host without pause',
    bound:
      'a host makes 5,000 requests of the Auth API without a pause, then 500 a second; a code is found in one step',
    attackMs: 10_000,
    attack: floodRequests({
      lanes: 20,
      request: ({ apiKey }, lane, round) => ({
        method: 'POST',
        path: '/__/auth/redirect-result',
        headers: JSON_TYPE,
        body: JSON.stringify({ apiKey, code: `${lane}x${round}`.padStart(43, 'a'), verifier: NONE }),
      }),
    }),
    checkCounts: answered(20, 503),
    proof: WITHOUT_REQUEST_BUDGET,
  },
  {
    name: 'imports and exports without credential',
    proof: WITHOUT_ADMIN_GATE,
    attacker: 'begins and continues imports, and asks for exports, without a credential',
    bound: 'the credential is checked before the body is read, and before an import is stored',
    attack: floodRequests({
      request: ({ namespace }, lane, round) => {
        const path = `/api/databases/${namespace}/imports/i${lane}x${round}`;
        const headers = { ...JSON_TYPE, authorization: `Bearer x${round}` };
        switch (round % 3) {
          case 0:
            return { method: 'PUT', path, headers, body: '{"path":"/open","mode":"replace"}' };
          case 1:
            return { method: 'PATCH', path: `${path}?offset=0`, headers, body: 'x'.repeat(100_000) };
          default:
            return { path: `/.json?ns=${namespace}&format=export&download=all.json`, headers };
        }
      },
    }),
    checkCounts: (counts) => [
      ...answered(100, 401)(counts),
      ...((counts['answered 400'] ?? 0) === 0 ? [] : ['The server read requests without a credential.']),
    ],
  },
];
