import { posix } from 'node:path';
import { isTestSupport } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/** Maps a package, a folder below its `src`, or a file directly in `src` to the others that it may import. */
type Arrows = Readonly<Record<string, readonly string[]>>;

/** The folders of the server. Each may import those before it in this list, and none after it. */
const SERVER_LAYERS = [
  'platform',
  'access',
  'storage',
  'cluster',
  'http',
  'rules',
  'realtime',
  'records',
  'audit',
  'outbox',
  'mail',
  'sms',
  'auth',
  'site',
  'admin-api',
  'backup',
  'emulator',
  'app',
  'cli',
] as const;

/** Returns the arrows of folders that may import every folder before them in the list. */
function layers(order: readonly string[]): Arrows {
  return Object.fromEntries(order.map((folder, index) => [folder, order.slice(0, index)]));
}

/** The allow-list of arrows, between packages and between the folders inside them. */
export const ALLOWED = {
  packages: {
    'packages/core': [],
    'packages/server': ['packages/core'],
    'packages/client': [],
    'packages/pages': ['packages/client', 'scripts'],
    'packages/console': ['packages/client', 'packages/core', 'packages/pages', 'scripts'],
    // The suites reach the server only by its URL, but they import the package that Hearth publishes for apps.
    conformance: ['packages/client', 'scripts'],
    // The bench calls the evaluation of rules as a function, and measures everything else through a server.
    bench: ['packages/core', 'scripts'],
    // The attacks know the server only by its URL and its process. Malformed texts also go to the parsers of the core.
    hostile: ['packages/core', 'scripts'],
    checks: ['scripts'],
    scripts: [],
  },
  folders: {
    'packages/core': {
      // The JSON that the admin API sends to the console.
      api: [],
      error: [],
      tree: ['error'],
      query: ['tree', 'error'],
      wire: ['query', 'tree', 'error'],
      rules: ['query', 'tree', 'error'],
    },
    'packages/console': {
      app: ['features', 'shell', 'language', 'session', 'ui', 'api'],
      features: ['shell', 'session', 'ui', 'api'],
      shell: ['session', 'ui', 'api', 'icon.svg'],
      language: ['ui'],
      session: ['api'],
      ui: ['api'],
      // The only folder that knows the addresses and JSON of the server.
      api: [],
    },
    'packages/pages': {
      action: ['shell'],
      frame: ['relay', 'shell'],
      handler: ['relay', 'shell'],
      // The hosted sign-in page, which shares texts and forms with the pages of links.
      hosted: ['action', 'handler', 'relay', 'shell'],
      // The messages between the pages, the frame and the script.
      relay: [],
      shell: [],
      // The script that apps load before the SDK.
      shim: ['relay'],
    },
    'packages/server': layers(SERVER_LAYERS),
  },
} as const satisfies {
  readonly packages: Arrows;
  readonly folders: Readonly<Record<string, Arrows>>;
};

/** Implementations of interfaces. Only the composition root, their own folders and tests may import them. */
const IMPLEMENTATIONS: readonly string[] = [
  'packages/server/src/storage/kv/lmdb.ts',
  'packages/server/src/storage/kv/memory.ts',
  'packages/server/src/storage/log/embedded.ts',
  'packages/server/src/cluster/jetstream.ts',
  'packages/server/src/mail/smtp-mailer.ts',
  'packages/server/src/mail/smtp-mailers.ts',
];
const COMPOSITION_ROOT = 'packages/server/src/app/';

/** Names under which one package imports another. */
const PACKAGE_NAMES: Readonly<Record<string, string>> = {
  '@hearth/core': 'packages/core',
  '@hearth/server': 'packages/server',
  '@hearth/pages': 'packages/pages',
  '@hearth/console': 'packages/console',
  '@hearth/client': 'packages/client',
  '@hearth/conformance': 'conformance',
  '@hearth/bench': 'bench',
  '@hearth/hostile': 'hostile',
};

interface ImportLocation {
  readonly package: string;
  /** Folder below `src`, or file directly in it; undefined in packages without a `src`. */
  readonly folder: string | undefined;
}

function findImportLocation(path: string): ImportLocation | undefined {
  const packageName = Object.keys(ALLOWED.packages).find((name) => path.startsWith(`${name}/`));
  if (packageName === undefined) return undefined;
  const [first, folder] = path.slice(packageName.length + 1).split('/');
  return { package: packageName, folder: first === 'src' ? folder : undefined };
}

/** Returns the path of the imported file from the root; undefined for an installed package or a module of Node. */
export function findTarget(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const name = Object.keys(PACKAGE_NAMES).find(
    (known) => specifier === known || specifier.startsWith(`${known}/`),
  );
  if (name === undefined) return undefined;
  return `${PACKAGE_NAMES[name]}/src/${specifier.slice(name.length + 1)}`;
}

function findArrowProblem(from: string, specifier: string, target: string): string | undefined {
  const source = findImportLocation(from);
  const destination = findImportLocation(target);
  if (source === undefined) return undefined;
  if (destination === undefined) return 'leaves the packages of this repository';
  if (source.package !== destination.package) {
    const isNamed = Object.values(PACKAGE_NAMES).includes(destination.package);
    if (isNamed && specifier.startsWith('.')) return 'reaches into another package by a relative path';
    const allowed: readonly string[] = (ALLOWED.packages as Arrows)[source.package] ?? [];
    return allowed.includes(destination.package)
      ? undefined
      : `is not allowed: ${source.package} -> ${destination.package}`;
  }
  // A test may import every file of its own package.
  if (isTestSupport(from)) return undefined;
  if (isTestSupport(target)) return 'is only for tests';
  if (
    IMPLEMENTATIONS.includes(target) &&
    !from.startsWith(COMPOSITION_ROOT) &&
    posix.dirname(from) !== posix.dirname(target)
  ) {
    return `is an implementation, which only ${COMPOSITION_ROOT} chooses`;
  }
  const folders = (ALLOWED.folders as Readonly<Record<string, Arrows>>)[source.package];
  if (folders === undefined || source.folder === undefined || source.folder === destination.folder)
    return undefined;
  const allowed = folders[source.folder];
  if (allowed === undefined) return `comes from ${source.folder}, which has no entry in ALLOWED`;
  if (destination.folder !== undefined && allowed.includes(destination.folder)) return undefined;
  return `is not allowed: ${source.folder} -> ${destination.folder}`;
}

/** Returns the imports that `ALLOWED` does not permit, as `file:line: import "x" reason`. */
export function checkBoundaries(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      const target = findTarget(path, specifier);
      const problem = target === undefined ? undefined : findArrowProblem(path, specifier, target);
      return problem === undefined ? [] : [`${path}:${line}: import "${specifier}" ${problem}`];
    }),
  );
}
