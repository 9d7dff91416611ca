/** How a program may be written that is pointed at this server. */
export const PLATFORMS = ['js', 'admin', 'kotlin', 'swift', 'rest'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface SnippetPlace {
  readonly mode: 'development' | 'serve';
  /** Scheme, host and port of this server. */
  readonly origin: string;
  readonly database: string;
}

/** What to change in a program, so that it uses a database of this server. */
export function snippetOf(platform: Platform, { mode, origin, database }: SnippetPlace): string {
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const portOf = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const url = `${origin}?ns=${database}`;
  const isOpen = mode === 'development';
  switch (platform) {
    case 'js':
      return isOpen
        ? `connectDatabaseEmulator(getDatabase(app), '${host}', ${portOf});\nconnectAuthEmulator(getAuth(app), '${origin}');`
        : `import { connectHearth } from '@hearth/client';\nconst { auth, database } = connectHearth(app, '${origin}');`;
    case 'admin':
      return isOpen
        ? `export FIREBASE_DATABASE_EMULATOR_HOST=${hostname}:${portOf}\nexport FIREBASE_AUTH_EMULATOR_HOST=${hostname}:${portOf}`
        : `import { hearthAdmin } from '@hearth/client/admin';\nconst app = initializeApp(hearthAdmin({ url: '${origin}', credential: cert('service-account.json') }));`;
    case 'kotlin':
      return isOpen
        ? `Firebase.database.useEmulator("${host}", ${portOf})\nFirebase.auth.useEmulator("${host}", ${portOf})`
        : `val database = Firebase.database("${url}")`;
    case 'swift':
      return isOpen
        ? `Database.database().useEmulator(withHost: "${host}", port: ${portOf})\nAuth.auth().useEmulator(withHost: "${host}", port: ${portOf})`
        : `let database = Database.database(url: "${url}")`;
    case 'rest':
      return `curl -X PUT -d '{"text":"Hello"}' '${origin}/messages/first.json?ns=${database}'\ncurl '${origin}/messages.json?ns=${database}'`;
    default:
      return platform satisfies never;
  }
}
