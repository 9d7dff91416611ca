import { describe, expect, test } from 'vitest';
import { PLATFORMS, snippetOf } from './connect-app.tsx';

const DEVELOPMENT = {
  mode: 'development',
  origin: 'http://127.0.0.1:9000',
  project: 'demo',
  database: 'demo-default-rtdb',
  apiKey: null,
} as const;
const SERVE = {
  mode: 'serve',
  origin: 'https://hearth.example.com',
  project: 'hats',
  database: 'hats-default-rtdb',
  apiKey: 'AIzaKey',
} as const;

describe('the code that connects an app', () => {
  test.each(PLATFORMS)('[C37] for %s, it names this server and has at most five lines', (platform) => {
    for (const [location, most] of [
      [DEVELOPMENT, 2],
      [SERVE, 5],
    ] as const) {
      const text = snippetOf(platform, location);
      expect(text).toContain(new URL(location.origin).hostname);
      expect(text.split('\n').length).toBeLessThanOrEqual(most);
    }
  });

  test('[C37] in development mode, JavaScript apps connect as they do to the emulators', () => {
    expect(snippetOf('js', DEVELOPMENT)).toBe(
      "connectDatabaseEmulator(getDatabase(app), '127.0.0.1', 9000);\nconnectAuthEmulator(getAuth(app), 'http://127.0.0.1:9000');",
    );
    expect(snippetOf('js', { ...DEVELOPMENT, origin: 'http://[::1]:9000' })).toContain("'::1', 9000");
  });

  test('[C37] in serve mode, JavaScript apps connect with the client package, and Kotlin apps with a database URL', () => {
    expect(snippetOf('js', SERVE)).toContain("connectHearth(app, 'https://hearth.example.com')");
    expect(snippetOf('kotlin', SERVE)).toContain('https://hearth.example.com?ns=hats-default-rtdb');
  });

  test('[C480] outside of development mode, the code for JavaScript contains the install command, the API key and the configuration, and that for the Admin SDK the install command', () => {
    const text = snippetOf('js', SERVE);
    expect(text).toContain('npm install firebase https://hearth.example.com/__/hearth/client.tgz');
    expect(text).toContain("initializeApp({ projectId: 'hats', apiKey: 'AIzaKey' })");
    expect(snippetOf('js', { ...SERVE, apiKey: null })).toContain("apiKey: 'API_KEY' })");
    expect(snippetOf('js', { ...SERVE, database: 'hats-two' })).toContain(
      "databaseURL: 'https://hearth.example.com?ns=hats-two' })",
    );
    expect(snippetOf('admin', SERVE)).toContain('npm install firebase-admin https://hearth.example.com/');
  });

  test.each(['js', 'kotlin', 'swift'] as const)(
    '[C716] outside of development mode, the code for %s names the project, the API key and the server',
    (platform) => {
      const text = snippetOf(platform, { ...SERVE, database: 'hats-two' });
      expect(text).toMatch(/['"]hats['"]/);
      expect(text).toMatch(/['"]AIzaKey['"]/);
      expect(text).toMatch(/['"]https:\/\/hearth\.example\.com\?ns=hats-two['"]/);
      expect(snippetOf(platform, { ...SERVE, apiKey: null })).toMatch(/['"]API_KEY['"]/);
    },
  );

  test('[C716] only outside of development mode, the requests for REST include one that signs a user in', () => {
    expect(snippetOf('rest', SERVE)).toContain('/v1/accounts:signInWithPassword?key=AIzaKey');
    expect(snippetOf('rest', DEVELOPMENT)).not.toContain('accounts:');
  });
});
