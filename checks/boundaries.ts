import { posix } from 'node:path';
import { isTestSupport } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/** A folder below a package's `src`, or a file directly in it, and what it may import beside itself. */
type Arrows = Readonly<Record<string, readonly string[]>>;

/** The allow-list of arrows, between packages and between the folders inside them. */
export const ALLOWED = {
  packages: {
    'packages/core': [],
    'packages/server': ['packages/core'],
    'packages/client': [],
    'packages/pages': ['scripts'],
    'packages/console': ['packages/client', 'packages/core', 'packages/pages', 'scripts'],
    // Beside the server, which it knows only by its URL, it drives what Hearth itself offers to clients.
    conformance: ['packages/client', 'scripts'],
    // Deciding by rules is measured as a function; everything else only through a server.
    bench: ['packages/core'],
    checks: ['scripts'],
    scripts: [],
  },
  folders: {
    'packages/core': {
      fault: [],
      tree: ['fault'],
      query: ['tree', 'fault'],
      wire: ['query', 'tree', 'fault'],
      rules: ['query', 'tree', 'fault'],
    },
    'packages/console': {
      // Asks for all that the first view needs, then has it drawn.
      'main.ts': ['open-console.tsx', 'views.ts', 'gate', 'language', 'routes', 'session', 'server'],
      'open-console.tsx': ['app.tsx', 'router.tsx', 'gate', 'language', 'server'],
      'app.tsx': ['gate', 'commands', 'notices', 'elements', 'language', 'preferences', 'server', 'theme.ts'],
      'router.tsx': ['views.ts', 'features', 'layout', 'elements'],
      // Which view is at which address; `routes` tells everybody how the addresses are written.
      'views.ts': ['features', 'language'],
      // Whom the console lets in: the way there stands in its place.
      gate: ['features', 'elements', 'session', 'server'],
      layout: ['commands', 'elements', 'notices', 'preferences', 'routes', 'session', 'server', 'theme.ts'],
      features: [
        'commands',
        'elements',
        'notices',
        'preferences',
        'routes',
        'session',
        'server',
        'theme.ts',
        'icon.svg',
      ],
      commands: ['elements', 'routes', 'session', 'server', 'theme.ts'],
      elements: ['notices', 'preferences', 'server', 'theme.ts'],
      session: ['server'],
      language: ['preferences'],
      'theme.ts': ['preferences'],
      preferences: [],
      notices: [],
      routes: [],
      // The only place that knows addresses and JSON of the server.
      server: [],
    },
    'packages/pages': {
      action: ['shell', 'rest', 'json'],
      shell: [],
      rest: ['json'],
      json: [],
    },
    'packages/server': {
      cli: ['app.ts', 'mode', 'backup', 'project', 'transfer', 'rules-cli', 'users-cli', 'ops'],
      'users-cli': ['transfer', 'ops'],
      'rules-cli': ['backup', 'project', 'transfer', 'ops'],
      transfer: ['ops'],
      backup: ['accounts', 'books', 'secrets', 'database', 'identity', 'log', 'tree', 'kv', 'ops'],
      project: ['users-cli', 'accounts', 'database', 'identity', 'ops'],
      'app.ts': [
        'mode',
        'http',
        'session',
        'accounts',
        'audit',
        'mail',
        'tokens',
        'passwords',
        'secrets',
        'books',
        'database',
        'activity',
        'feed',
        'denials',
        'replay',
        'identity',
        'commit',
        'log',
        'tree',
        'kv',
        'ops',
      ],
      // What differs between development and serving: `app.ts` puts the rest around it.
      mode: [
        'http',
        'accounts',
        'mail',
        'books',
        'secrets',
        'tokens',
        'database',
        'replay',
        'identity',
        'commit',
        'ops',
      ],
      books: ['database', 'identity', 'commit', 'log', 'tree', 'kv', 'ops'],
      secrets: ['kv', 'ops'],
      passwords: ['ops'],
      tokens: ['books', 'secrets', 'ops'],
      mail: ['books', 'secrets', 'ops'],
      audit: ['books', 'ops'],
      accounts: ['audit', 'mail', 'tokens', 'passwords', 'secrets', 'books', 'identity', 'commit', 'ops'],
      // `http` owns the interface of what it hands an open socket to; `session` implements it.
      session: ['http', 'database', 'activity', 'denials', 'identity', 'commit', 'log', 'ops'],
      http: [
        'accounts',
        'audit',
        'mail',
        'tokens',
        'passwords',
        'database',
        'activity',
        'feed',
        'denials',
        'replay',
        'identity',
        'commit',
        'log',
        'ops',
      ],
      database: ['activity', 'feed', 'denials', 'replay', 'identity', 'commit', 'log', 'tree', 'kv', 'ops'],
      replay: ['denials', 'identity', 'commit', 'kv', 'ops'],
      denials: ['feed', 'identity', 'commit', 'kv', 'ops'],
      // What is counted of what is done, and who is connected.
      activity: ['feed', 'identity', 'ops'],
      // What is going on, for readers who stay.
      feed: ['identity', 'ops'],
      identity: ['ops'],
      commit: ['log', 'tree', 'kv', 'ops'],
      log: ['kv'],
      tree: ['kv'],
      kv: [],
      ops: [],
    },
  },
} as const satisfies {
  readonly packages: Arrows;
  readonly folders: Readonly<Record<string, Arrows>>;
};

/** Implementations of an interface, which only the composition root and tests choose. */
const IMPLEMENTATIONS: readonly string[] = [
  'packages/server/src/kv/lmdb.ts',
  'packages/server/src/kv/memory.ts',
  'packages/server/src/log/embedded.ts',
  'packages/server/src/mail/smtp-mailer.ts',
  'packages/server/src/mail/smtp-mailers.ts',
];
const COMPOSITION_ROOT = 'packages/server/src/app.ts';

/** Names under which one package imports another. */
const PACKAGE_NAMES: Readonly<Record<string, string>> = {
  '@hearth/core': 'packages/core',
  '@hearth/server': 'packages/server',
  '@hearth/pages': 'packages/pages',
  '@hearth/console': 'packages/console',
  '@hearth/client': 'packages/client',
  '@hearth/conformance': 'conformance',
  '@hearth/bench': 'bench',
};

interface Place {
  readonly package: string;
  /** Folder below `src`, or file directly in it; undefined in packages without a `src`. */
  readonly folder: string | undefined;
}

function findPlace(path: string): Place | undefined {
  const packageName = Object.keys(ALLOWED.packages).find((name) => path.startsWith(`${name}/`));
  if (packageName === undefined) return undefined;
  const [first, folder] = path.slice(packageName.length + 1).split('/');
  return { package: packageName, folder: first === 'src' ? folder : undefined };
}

/** Path of the imported file from the root; undefined for what is installed or comes with Node. */
export function findTarget(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const name = Object.keys(PACKAGE_NAMES).find(
    (known) => specifier === known || specifier.startsWith(`${known}/`),
  );
  if (name === undefined) return undefined;
  return `${PACKAGE_NAMES[name]}/src/${specifier.slice(name.length + 1)}`;
}

function findArrowProblem(from: string, specifier: string, target: string): string | undefined {
  const source = findPlace(from);
  const destination = findPlace(target);
  if (source === undefined) return undefined;
  if (destination === undefined) return 'leaves the packages of this repository';
  if (source.package !== destination.package) {
    const isNamed = Object.values(PACKAGE_NAMES).includes(destination.package);
    if (isNamed && specifier.startsWith('.')) return 'reaches into another package by a relative path';
    const allowed: readonly string[] = (ALLOWED.packages as Arrows)[source.package] ?? [];
    return allowed.includes(destination.package)
      ? undefined
      : `is no arrow: ${source.package} -> ${destination.package}`;
  }
  // A test looks at its subject from outside and may use what it likes of its own package.
  if (isTestSupport(from)) return undefined;
  if (isTestSupport(target)) return 'is made for tests';
  if (
    IMPLEMENTATIONS.includes(target) &&
    from !== COMPOSITION_ROOT &&
    posix.dirname(from) !== posix.dirname(target)
  ) {
    return `is an implementation, which only ${COMPOSITION_ROOT} chooses`;
  }
  const folders = (ALLOWED.folders as Readonly<Record<string, Arrows>>)[source.package];
  if (folders === undefined || source.folder === undefined || source.folder === destination.folder)
    return undefined;
  const allowed = folders[source.folder];
  if (allowed === undefined) return `comes from ${source.folder}, which has no arrows yet`;
  if (destination.folder !== undefined && allowed.includes(destination.folder)) return undefined;
  return `is no arrow: ${source.folder} -> ${destination.folder}`;
}

/** Imports that go along no arrow, as `file:line: import "x" reason`. */
export function checkBoundaries(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      const target = findTarget(path, specifier);
      const problem = target === undefined ? undefined : findArrowProblem(path, specifier, target);
      return problem === undefined ? [] : [`${path}:${line}: import "${specifier}" ${problem}`];
    }),
  );
}
