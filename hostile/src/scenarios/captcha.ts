import { flood, forEachOf } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered, floodRequests } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/**
 * Turns on text messages, which no service sends. `appProof` says whether the project requires a solved challenge of the
 * highest cost.
 */
async function allowTextMessages(hearth: Hearth, appProof: 'THROTTLED' | 'REQUIRE'): Promise<void> {
  await hearth.administer(
    'PATCH',
    `/v2/projects/${hearth.target.projectId}/config?updateMask=signIn.phoneNumber,smsRegionConfig,recaptchaConfig,notification.sendSms`,
    {
      signIn: { phoneNumber: { enabled: true } },
      smsRegionConfig: { allowlistOnly: { allowedRegions: ['US'] } },
      recaptchaConfig: { hearth: { cost: 200_000 } },
      notification: {
        sendSms: {
          hearth: {
            driver: { type: 'WEBHOOK', url: 'https://sms.example.com/', secret: 'secret' },
            appProof,
          },
        },
      },
    },
  );
}

function requireChallenges(hearth: Hearth): Promise<void> {
  return allowTextMessages(hearth, 'REQUIRE');
}

/** Area codes of the United States. Numbers of different areas are not sequential. */
const AREAS = [
  201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229,
  231, 234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 272, 276, 281, 301, 302, 303,
  304, 305,
];

const HOSTS_OF_SMS = 40;
/** Number of messages for which the attacker asks: four for each area. */
const MESSAGES = 4 * AREAS.length;

/** Asks for text messages to different numbers from many hosts. */
const askForMessages: Attack = async (target, signal, tally) => {
  const clients = Array.from(
    { length: HOSTS_OF_SMS },
    (_, host) => new HttpClient(target, { side: 'attacker', host }),
  );
  await forEachOf(MESSAGES, 10, signal, async (index) => {
    const phoneNumber = `+1${AREAS[index % AREAS.length]}55501${10 + Math.floor(index / AREAS.length)}`;
    const path = `/v1/accounts:sendVerificationCode?key=${target.apiKey}`;
    const answer = await clients[index % HOSTS_OF_SMS]?.post(path, { phoneNumber });
    if (answer !== undefined) tally.addStatus(answer.status);
  });
};

/** Returns the token of a challenge and a solution. */
function tokenOf(challenge: unknown, solution: unknown): string {
  return `alt2.${Buffer.from(JSON.stringify({ c: challenge, s: solution })).toString('base64url')}`;
}

function phoneNumberOf(lane: number, round: number): string {
  return `+1650555${String((lane * 1_000 + round) % 10_000).padStart(4, '0')}`;
}

/** A solution with the right form, which is right for one of 2^248 challenges. */
const WRONG = { counter: 1, derivedKey: '00'.repeat(32), time: 1 };

/** Returns a challenge with the form of the server's, and a signature that is not the server's. */
function forgedChallenge(lane: number, round: number): unknown {
  const hex = `${lane}-${round}`.replace('-', 'a').padStart(32, '0');
  return {
    parameters: {
      algorithm: 'PBKDF2/SHA-256',
      cost: 200_000,
      data: { a: 'verify', i: '0'.repeat(16), k: '0'.repeat(16), t: '' },
      expiresAt: 4_000_000_000,
      keyLength: 32,
      keyPrefix: '00',
      nonce: hex,
      salt: hex,
    },
    signature: hex + hex,
  };
}

/** Asks for challenges, and sends a wrong solution for each, without waiting for the response. */
const solveWrongly: Attack = async (target, signal, tally) => {
  const lanes = 20;
  const hosts = 10;
  const openClient = (lane: number, sockets: number): HttpClient =>
    new HttpClient(target, { side: 'attacker', host: lane % hosts }, sockets);
  const clients = Array.from(
    { length: lanes },
    (_, lane) => [openClient(lane, 1), openClient(lane, 5)] as const,
  );
  await flood(signal, lanes, async (lane, round) => {
    const [asking, solving] = clients[lane] ?? [];
    const challenge = await asking?.post('/__/auth/challenge', { apiKey: target.apiKey, action: 'verify' });
    if (challenge === undefined) return;
    tally.add(`challenge ${challenge.status}`);
    if (challenge.status !== 200) return;
    void solving
      ?.post(`/v1/accounts:sendVerificationCode?key=${target.apiKey}`, {
        phoneNumber: phoneNumberOf(lane, round),
        recaptchaToken: tokenOf(JSON.parse(challenge.text), WRONG),
      })
      .then(({ status }) => tally.addStatus(status));
  });
};

/** Attacks on text messages, and on the proofs of work that stand before them. */
export const CAPTCHA_SCENARIOS: readonly Scenario[] = [
  {
    name: 'text messages to many numbers',
    attacker: `asks for ${MESSAGES} text messages to numbers of ${AREAS.length} areas from ${HOSTS_OF_SMS} hosts`,
    bound: 'clients that do not prove which app they are get 10 of the 100 messages to a country in an hour',
    prepare: (hearth) => allowTextMessages(hearth, 'THROTTLED'),
    lastsUntilComplete: true,
    attack: askForMessages,
    checkCounts: (counts) => [
      ...answered(100, 400)(counts),
      // The hour may end during the attack.
      ...((counts['answered 200'] ?? 0) <= 20 ? [] : [`${counts['answered 200']} messages were accepted.`]),
    ],
    proof: [{ file: 'sms/budgets.ts', from: '  perCountryAndHour: 100,', to: '  perCountryAndHour: 1e6,' }],
  },
  {
    name: 'garbage solutions',
    attacker:
      'sends solutions of challenges that the server did not issue, at the highest cost, from 40 hosts without pause',
    bound: 'a signature is checked before any work of the challenge',
    isShort: true,
    prepare: requireChallenges,
    attack: floodRequests({
      lanes: 40,
      hosts: 40,
      request: ({ apiKey }, lane, round) => ({
        method: 'POST',
        path: `/v1/accounts:sendVerificationCode?key=${apiKey}`,
        headers: JSON_TYPE,
        body: JSON.stringify({
          phoneNumber: phoneNumberOf(lane, round),
          recaptchaToken: tokenOf(forgedChallenge(lane, round), WRONG),
        }),
      }),
    }),
    checkCounts: answered(500, 400),
    proof: [
      {
        file: 'auth/captcha/challenge.ts',
        from: 'return timingSafeEqual(Buffer.from(signatureOf(parameters, key)), Buffer.from(signature));',
        to: 'return signatureOf(parameters, key) !== signature;',
      },
      { file: 'auth/captcha/captcha.ts', from: 'data.k !== scope.k ||', to: '' },
      { file: 'auth/captcha/captcha.ts', from: 'if (!this.#issued.use(nonce))', to: 'if (nonce === "")' },
      {
        file: 'auth/passwords/hashing-queue.ts',
        from: 'Math.max(1, Math.floor(this.#concurrency / 2))',
        to: 'this.#concurrency',
      },
    ],
  },
  {
    name: 'wrong solutions of real challenges',
    attacker:
      'asks for challenges of the highest cost from 10 hosts without pause, and sends a wrong solution for each',
    bound:
      'a host gets 60 challenges a minute and a /24 600, each is checked once, and checks take at most half of the threads that hash passwords',
    prepare: requireChallenges,
    attack: solveWrongly,
    checkCounts: (counts) => [
      ...answered(30, 400)(counts),
      ...((counts['challenge 429'] ?? 0) > 0 ? [] : ['The attack did not reach the limit of challenges.']),
    ],
    proof: [
      {
        file: 'auth/throttling/limits.ts',
        from: 'challenges: { host: { burst: 60, perHour: 3_600 }, site: { burst: 600, perHour: 36_000 } }',
        to: 'challenges: { host: { burst: 1e6, perHour: 1e6 }, site: { burst: 1e6, perHour: 1e6 } }',
      },
    ],
  },
];
