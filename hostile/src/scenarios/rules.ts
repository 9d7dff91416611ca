import { answered, floodMessages, floodRequests } from './floods.ts';
import type { Scenario } from './scenario.ts';
import { requireUnstoredDenials } from './stored-denials.ts';
import { WITHOUT_DATABASE_GATE, WITHOUT_DENIAL_LIMITS } from './without.ts';

/** Attacks with requests whose rules are expensive to evaluate. An attacker may not publish rules. */
export const RULE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'rules with expensive regular expressions',
    attacker: 'writes strings that make a backtracking matcher of the rules slow, over REST',
    bound: 'expressions run in linear time, within the work of one operation',
    rules: {
      pattern: { $key: { '.write': 'newData.val().matches(/^(a+)+(b|c|d)*(a*)*$/)' } },
    },
    attack: floodRequests({
      lanes: 5,
      request: ({ namespace }, lane) => ({
        method: 'PUT',
        path: `/pattern/k${lane}.json?ns=${namespace}`,
        body: JSON.stringify(`${'a'.repeat(5_000)}!`),
      }),
    }),
    checkCounts: answered(20, 401),
    proof: [
      {
        file: 'regex/matcher.ts',
        from: '    let set = this.#start;\n',
        to: '    if (work !== undefined) return new RegExp(this.#expression.source).test(text);\n    let set = this.#start;\n',
      },
    ],
  },
  {
    name: 'rules with much work for a read',
    attacker: 'reads where a rule asks 60 other paths, on 5 connections',
    bound:
      'the work of the rules for one operation is limited, and during a flood only some denials are explained',
    proof: WITHOUT_DENIAL_LIMITS,
    checkServer: requireUnstoredDenials,
    rules: {
      costly: {
        $key: {
          '.read': Array.from({ length: 60 }, (_, n) => `root.child('open/w${n}').val() === $key`).join(
            ' || ',
          ),
        },
      },
    },
    attack: floodMessages({ message: (_lane, round) => ['q', { p: `/costly/k${round}`, h: '' }] }),
    checkCounts: answered(200, 'permission_denied'),
  },
  {
    name: 'rules documents without credential',
    attacker: 'uploads rules of 250 KB without a credential',
    bound: 'the credential is checked before the rules are parsed',
    attack: floodRequests({
      lanes: 5,
      request: ({ namespace }) => ({
        method: 'PUT',
        path: `/.settings/rules.json?ns=${namespace}`,
        headers: { 'content-type': 'application/json', authorization: 'Bearer wrong' },
        body: LONG_RULES,
      }),
    }),
    checkCounts: answered(20, 401, 403),
    proof: WITHOUT_DATABASE_GATE,
  },
];

const LONG_RULES = JSON.stringify({
  rules: Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`k${n}`, { '.read': `auth != null && auth.uid == 'user${n}'` }]),
  ),
});
