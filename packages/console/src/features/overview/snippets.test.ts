import { describe, expect, test } from 'vitest';
import { PLATFORMS, snippetOf } from './connect-app.tsx';

const DEVELOPMENT = {
  mode: 'development',
  origin: 'http://127.0.0.1:9000',
  database: 'demo-default-rtdb',
} as const;
const SERVE = { mode: 'serve', origin: 'https://hearth.example.com', database: 'hats' } as const;

describe('the code that connects an app', () => {
  test.each(PLATFORMS)('[C37] for %s, it names this server and has at most two lines', (platform) => {
    for (const location of [DEVELOPMENT, SERVE]) {
      const text = snippetOf(platform, location);
      expect(text).toContain(new URL(location.origin).hostname);
      expect(text.split('\n').length).toBeLessThanOrEqual(2);
    }
  });

  test('[C37] in development mode, apps connect as they do to the emulators', () => {
    expect(snippetOf('js', DEVELOPMENT)).toBe(
      "connectDatabaseEmulator(getDatabase(app), '127.0.0.1', 9000);\nconnectAuthEmulator(getAuth(app), 'http://127.0.0.1:9000');",
    );
    expect(snippetOf('js', { ...DEVELOPMENT, origin: 'http://[::1]:9000' })).toContain("'::1', 9000");
  });

  test('[C37] otherwise, JavaScript apps connect with the client package, and others with a database URL', () => {
    expect(snippetOf('js', SERVE)).toContain("connectHearth(app, 'https://hearth.example.com')");
    expect(snippetOf('kotlin', SERVE)).toContain('https://hearth.example.com?ns=hats');
  });
});
