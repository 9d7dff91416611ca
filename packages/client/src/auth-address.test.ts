import type { Auth } from 'firebase/auth';
import { expect, test } from 'vitest';
import { parseHearthAddress } from './address.ts';
import { pointAuth } from './auth.ts';

const HEARTH = parseHearthAddress('https://hearth.example.com:8443');
const HOSTS = {
  apiScheme: 'https',
  apiHost: 'identitytoolkit.googleapis.com',
  tokenApiHost: 'securetoken.googleapis.com',
};

/** Returns a fake Auth with these members, and a list that contains `deleted` for each call of `_delete`. */
function openAuth(members: object) {
  const calls: string[] = [];
  const _delete = async () => void calls.push('deleted');
  const auth = Object.defineProperties(
    { _canInitEmulator: true, _delete },
    Object.getOwnPropertyDescriptors(members),
  );
  return { auth: auth as unknown as Auth, calls };
}

test('[I191] pointAuth replaces every host of an Auth with the server', () => {
  const { auth, calls } = openAuth({ config: { ...HOSTS, apiKey: 'any', authDomain: 'demo.example.net' } });
  pointAuth(auth, HEARTH);
  expect(auth.config).toEqual({
    apiKey: 'any',
    apiScheme: 'https',
    apiHost: 'hearth.example.com:8443',
    tokenApiHost: 'hearth.example.com:8443',
    authDomain: 'hearth.example.com:8443',
  });
  expect(calls).toEqual([]);
});

test.each<readonly [string, object, string]>([
  ['config is frozen', { config: Object.freeze({ ...HOSTS }) }, '(config.apiScheme)'],
  [
    'config is a copy',
    {
      get config() {
        return { ...HOSTS };
      },
    },
    '(config.apiHost)',
  ],
  ['config is missing', {}, '(config.apiScheme)'],
  ['apiHost is missing', { config: { ...HOSTS, apiHost: undefined } }, '(config.apiHost)'],
  ['tokenApiHost is missing', { config: { ...HOSTS, tokenApiHost: undefined } }, '(config.tokenApiHost)'],
  [
    '_canInitEmulator is missing',
    { config: { ...HOSTS }, _canInitEmulator: undefined },
    '(_canInitEmulator)',
  ],
])(
  '[I193] if %s, the error names the version of the SDK, and the Auth is ended',
  (_what, members, location) => {
    const { auth, calls } = openAuth(members);
    const pointing = () => pointAuth(auth, HEARTH);
    expect(pointing).toThrow(/^@hearth\/client cannot point firebase \d+\.\d+\.\d+ at a Hearth server: /);
    expect(pointing).toThrow(location);
    expect(calls).toEqual(['deleted', 'deleted']);
  },
);

test('[I192] an Auth that has sent a request is rejected and ended', () => {
  const { auth, calls } = openAuth({ config: { ...HOSTS }, _canInitEmulator: false });
  expect(() => pointAuth(auth, HEARTH)).toThrow('has already sent a request to its own host');
  expect(calls).toEqual(['deleted']);
});
