import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useProjectId, useSession } from '../../session/session.ts';
import { CopyButton } from '../../ui/copy-and-save.tsx';
import { useApiKey } from './use-api-key.ts';

/** Kinds of apps that can connect to this server. */
export const PLATFORMS = ['js', 'admin', 'kotlin', 'swift', 'rest'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface SnippetLocation {
  readonly mode: 'development' | 'serve';
  /** Scheme, host and port of this server. */
  readonly origin: string;
  readonly project: string;
  readonly database: string;
  /** An API key of the project; `null` if the member may not see any. */
  readonly apiKey: string | null;
}

/** Stands for the API key in code for members who may not see it. */
const NO_KEY = 'API_KEY';

/** Returns the lines that connect a web app outside of development mode: install, configure, connect. */
function webApp({ origin, project, database, apiKey }: SnippetLocation): string {
  const isDefault = database === `${project}-default-rtdb`;
  const config = [
    `projectId: '${project}'`,
    `apiKey: '${apiKey ?? NO_KEY}'`,
    ...(isDefault ? [] : [`databaseURL: '${origin}?ns=${database}'`]),
  ];
  return [
    `// npm install firebase ${origin}/__/hearth/client.tgz`,
    "import { connectHearth } from '@hearth/client';",
    "import { initializeApp } from 'firebase/app';",
    `const app = initializeApp({ ${config.join(', ')} });`,
    `const { auth, database } = connectHearth(app, '${origin}');`,
  ].join('\n');
}

/** Returns the lines that connect firebase-admin outside of development mode. */
function adminApp({ origin }: SnippetLocation): string {
  return [
    `// npm install firebase-admin ${origin}/__/hearth/client.tgz`,
    "import { hearthAdmin } from '@hearth/client/admin';",
    "import { cert, initializeApp } from 'firebase-admin/app';",
    `const app = initializeApp(hearthAdmin({ url: '${origin}', credential: cert('service-account.json') }));`,
  ].join('\n');
}

/**
 * Name of the Firebase app in native code. A named app can exist in addition to the default app of a configuration
 * file.
 */
const APP_NAME = 'hearth';

/** Returns the lines that configure and connect an Android app outside of development mode. The SDK requires an ID of the app. */
function kotlinApp({ origin, project, database, apiKey }: SnippetLocation): string {
  return [
    'val options = FirebaseOptions.Builder()',
    `  .setProjectId("${project}").setApiKey("${apiKey ?? NO_KEY}").setApplicationId("1:1:android:1")`,
    `  .setDatabaseUrl("${origin}?ns=${database}").build()`,
    `val database = Firebase.database(Firebase.initialize(context, options, "${APP_NAME}"))`,
  ].join('\n');
}

/** Returns the lines that configure and connect an Apple app outside of development mode. The SDK requires an ID of the app. */
function swiftApp({ origin, project, database, apiKey }: SnippetLocation): string {
  return [
    'let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")',
    `options.projectID = "${project}"; options.apiKey = "${apiKey ?? NO_KEY}"`,
    `options.databaseURL = "${origin}?ns=${database}"`,
    `FirebaseApp.configure(name: "${APP_NAME}", options: options)`,
    `let database = Database.database(app: FirebaseApp.app(name: "${APP_NAME}")!)`,
  ].join('\n');
}

/** Returns the request that signs a user in outside of development mode. Its response contains the ID token. */
function restSignIn({ origin, apiKey }: SnippetLocation): string {
  const user = '{"email":"EMAIL","password":"PASSWORD","returnSecureToken":true}';
  const url = `${origin}/v1/accounts:signInWithPassword?key=${apiKey ?? NO_KEY}`;
  return `curl -H 'Content-Type: application/json' -d '${user}' '${url}'`;
}

/** Returns the code that connects an app to a database of this server. */
export function snippetOf(platform: Platform, location: SnippetLocation): string {
  const { mode, origin, database } = location;
  const { hostname, port, protocol } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const portOf = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const isDevelopment = mode === 'development';
  switch (platform) {
    case 'js':
      return isDevelopment
        ? `connectDatabaseEmulator(getDatabase(app), '${host}', ${portOf});\nconnectAuthEmulator(getAuth(app), '${origin}');`
        : webApp(location);
    case 'admin':
      return isDevelopment
        ? `export FIREBASE_DATABASE_EMULATOR_HOST=${hostname}:${portOf}\nexport FIREBASE_AUTH_EMULATOR_HOST=${hostname}:${portOf}`
        : adminApp(location);
    case 'kotlin':
      return isDevelopment
        ? `Firebase.database.useEmulator("${host}", ${portOf})\nFirebase.auth.useEmulator("${host}", ${portOf})`
        : kotlinApp(location);
    case 'swift':
      return isDevelopment
        ? `Database.database().useEmulator(withHost: "${host}", port: ${portOf})\nAuth.auth().useEmulator(withHost: "${host}", port: ${portOf})`
        : swiftApp(location);
    case 'rest':
      return [
        `curl -X PUT -d '{"text":"Hello"}' '${origin}/messages/first.json?ns=${database}'`,
        `curl '${origin}/messages.json?ns=${database}'`,
        ...(isDevelopment ? [] : [restSignIn(location)]),
      ].join('\n');
    default:
      return platform satisfies never;
  }
}

/** Names of platforms are the same in every language. */
const NAMES = {
  js: 'JavaScript',
  admin: 'Admin SDK',
  kotlin: 'Kotlin',
  swift: 'Swift',
  rest: 'REST',
} as const;

interface ConnectAppProps {
  readonly database: string;
}

/** Shows the code that connects an app to this server, for each kind of app. */
export function ConnectApp({ database }: ConnectAppProps) {
  const { t } = useTranslation('overview');
  const id = useId();
  const [parameters, setParameters] = useSearchParams();
  const { mode } = useSession().parameters;
  const project = useProjectId();
  const apiKey = useApiKey();
  const platform = PLATFORMS.find((one) => one === parameters.get('platform')) ?? 'js';
  const text = snippetOf(platform, { mode, origin: location.origin, project, database, apiKey });
  return (
    <Box>
      <Tabs
        value={platform}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={t('connect.platforms')}
        onChange={(_event, chosen: string) =>
          setParameters(
            (before) => new URLSearchParams({ ...Object.fromEntries(before), platform: chosen }),
            {
              replace: true,
            },
          )
        }
        sx={{ minHeight: 40, borderBlockEnd: 1, borderColor: 'divider' }}
      >
        {PLATFORMS.map((one) => (
          <Tab
            key={one}
            value={one}
            id={`${id}-${one}`}
            aria-controls={`${id}-lines`}
            label={NAMES[one]}
            sx={{ minHeight: 40 }}
          />
        ))}
      </Tabs>
      <Box
        id={`${id}-lines`}
        role="tabpanel"
        aria-labelledby={`${id}-${platform}`}
        sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, paddingBlockStart: 1 }}
      >
        <Box
          component="pre"
          dir="ltr"
          // Focusable, so that keyboard users can scroll long lines.
          tabIndex={0}
          sx={{
            flex: 1,
            minWidth: 0,
            overflowX: 'auto',
            margin: 0,
            padding: 1.5,
            borderRadius: 1,
            border: 1,
            borderColor: 'divider',
            backgroundColor: 'background.default',
            fontFamily: MONOSPACE,
            fontSize: '0.8125rem',
            lineHeight: 1.7,
          }}
        >
          {text}
        </Box>
        <CopyButton text={text} label={t('connect.copy')} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ marginBlockStart: 1 }}>
        {t(`connect.notes.${mode}.${platform}`)}
      </Typography>
    </Box>
  );
}
