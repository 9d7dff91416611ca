import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { getDatabase } from 'firebase/database';
import { expect, onTestFinished, test } from 'vitest';
import { connectHearth } from './connect.ts';
import { hearthDatabase } from './database.ts';

function openApp(options: object): FirebaseApp {
  const app = initializeApp({ apiKey: 'any', ...options }, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  return app;
}

test.each([
  [{ projectId: 'demo' }, 'https://hearth.example.com', 'https://hearth.example.com?ns=demo-default-rtdb'],
  [{ projectId: 'demo' }, 'http://127.0.0.1:9000', 'http://127.0.0.1:9000?ns=demo-default-rtdb'],
  [{ projectId: 'demo' }, 'http://localhost', 'http://localhost:80?ns=demo-default-rtdb'],
  [
    { databaseURL: 'https://my-app.firebaseio.com' },
    'https://h.example.com',
    'https://h.example.com?ns=my-app',
  ],
  [
    { databaseURL: 'https://my-app.europe-west1.firebasedatabase.app' },
    'https://h.example.com:8443',
    'https://h.example.com:8443?ns=my-app',
  ],
  [
    { databaseURL: 'http://127.0.0.1:9000?ns=other' },
    'https://h.example.com',
    'https://h.example.com?ns=other',
  ],
  [
    { databaseURL: 'http://127.0.0.1:9000', projectId: 'demo' },
    'https://h.example.com',
    'https://h.example.com?ns=demo-default-rtdb',
  ],
])('[I194] the database of an app with %j at %s is %s', (options, url, address) => {
  const app = openApp(options);
  hearthDatabase(app, url);
  expect(app.options.databaseURL).toBe(address);
});

test('[I194] after hearthDatabase, getDatabase returns the same database', () => {
  const app = openApp({ projectId: 'demo' });
  const database = hearthDatabase(app, 'https://hearth.example.com');
  expect(getDatabase(app)).toBe(database);
});

test('[I194] an app that already has a database is rejected', () => {
  const app = openApp({ projectId: 'demo' });
  getDatabase(app);
  expect(() => hearthDatabase(app, 'https://hearth.example.com')).toThrow('already has a database');
});

test('[I194] an app with neither a projectId nor a databaseURL is rejected', () => {
  expect(() => hearthDatabase(openApp({}), 'https://hearth.example.com')).toThrow('needs a projectId');
});

test('[I191][I194] connectHearth creates the Auth and the database', () => {
  const app = openApp({ projectId: 'demo' });
  const { auth, database } = connectHearth(app, 'https://hearth.example.com');
  expect(auth.config.apiHost).toBe('hearth.example.com');
  expect(database).toBe(getDatabase(app));
});
