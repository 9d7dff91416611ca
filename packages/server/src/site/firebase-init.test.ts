import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { firebaseInit, type PageProject } from './firebase-init.ts';

const PROJECT: PageProject = {
  projectId: 'demo',
  apiKey: 'AHE-key',
  origin: 'https://hearth.example.com:8443',
  namespace: 'demo-default-rtdb',
};
const CONFIG = {
  projectId: 'demo',
  apiKey: 'AHE-key',
  authDomain: 'hearth.example.com:8443',
  databaseURL: 'https://hearth.example.com:8443?ns=demo-default-rtdb',
};

/** Creates a page with a fake of the compat SDK. `apps` has the configurations of the initialized apps. */
function openPage(auth?: object) {
  const apps: unknown[] = [];
  const firebase = {
    initializeApp: (config: unknown) => apps.push(config),
    ...(auth === undefined ? {} : { auth: () => ({ _delegate: auth }) }),
  };
  return {
    apps,
    run: (script: string, globals: object = {}) => runInNewContext(script, { firebase, ...globals }),
  };
}

function openAuth(members: object = {}) {
  const calls: string[] = [];
  const config = { apiKey: 'AHE-key', apiScheme: 'https', apiHost: 'else', tokenApiHost: 'else' };
  return {
    calls,
    auth: {
      config,
      _canInitEmulator: true,
      _popupRedirectResolver: {},
      _delete: () => calls.push('deleted'),
      ...members,
    },
  };
}

test('[I204] init.json is the configuration of an app that uses this server', () => {
  expect(JSON.parse(firebaseInit(PROJECT).json)).toEqual(CONFIG);
});

test.each([
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000?ns=demo-default-rtdb'],
  ['http://localhost', 'http://localhost:80?ns=demo-default-rtdb'],
  ['http://127.0.0.1', 'http://127.0.0.1:80?ns=demo-default-rtdb'],
  ['http://[::1]', 'http://[::1]:80?ns=demo-default-rtdb'],
  ['https://hearth.example.com', 'https://hearth.example.com?ns=demo-default-rtdb'],
])('[I204] at %s, the database URL is %s', (origin, databaseURL) => {
  expect(JSON.parse(firebaseInit({ ...PROJECT, origin }).json)).toMatchObject({ databaseURL });
});

test('[I205] init.js initializes the app', () => {
  const page = openPage();
  page.run(firebaseInit(PROJECT).js);
  expect(page.apps).toEqual([CONFIG]);
});

test('[I205] init.js names the script that must be loaded before it', () => {
  expect(() => runInNewContext(firebaseInit(PROJECT).js, {})).toThrow(
    'Load firebase-app-compat.js before /__/firebase/init.js.',
  );
});

test('[I206] init.js makes the Auth instance of the page use this server', () => {
  const { auth, calls } = openAuth();
  openPage(auth).run(firebaseInit({ ...PROJECT, origin: 'http://127.0.0.1:9000' }).js);
  expect(auth.config).toEqual({
    apiKey: 'AHE-key',
    apiScheme: 'http',
    apiHost: '127.0.0.1:9000',
    tokenApiHost: '127.0.0.1:9000',
  });
  expect(auth._popupRedirectResolver).toBeNull();
  expect(calls).toEqual([]);
});

test('[I844] init.js leaves the SDK its resolver if the page has loaded the script for popups', () => {
  const { auth } = openAuth({ _popupRedirectResolver: 'resolver' });
  openPage(auth).run(firebaseInit(PROJECT).js, { gapi: { iframes: {} } });
  expect(auth._popupRedirectResolver).toBe('resolver');
});

test.each<readonly [string, object]>([
  ['whose hosts cannot be changed', { config: Object.freeze({ apiHost: 'else' }) }],
  ['that has sent a request', { _canInitEmulator: false }],
  ['whose version does not show whether it has sent a request', { _canInitEmulator: undefined }],
])('[I206] init.js deletes an Auth instance %s, and throws', (_what, members) => {
  const { auth, calls } = openAuth(members);
  expect(() => openPage(auth).run(firebaseInit(PROJECT).js)).toThrow('Hearth cannot make this version');
  expect(calls).toEqual(['deleted']);
});
