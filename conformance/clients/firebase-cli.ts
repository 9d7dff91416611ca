import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { NODE_BINARY } from '../drivers/server-process.ts';
import { type Ended, type Program, runProgram } from './run-program.ts';
import { openSingleRoute, type SingleRoute } from './single-route.ts';

const FIREBASE = join(import.meta.dirname, 'node_modules/firebase-tools/lib/bin/firebase.js');
const PROJECT = 'demo-conformance';

/** The command line of Firebase, set up so that it knows only the server under test. */
export interface FirebaseCli {
  /** Runs `firebase <args>`, with `--instance` if a database is given. */
  run(database: string | undefined, args: readonly string[], change?: CliChange): Promise<Ended>;
  /** Runs a command and returns its standard output. Fails the test unless the command ends with code 0. */
  succeed(database: string | undefined, args: readonly string[], change?: CliChange): Promise<string>;
  /** Writes a text to a file, for commands that read one; returns its absolute path. */
  writeInput(name: string, text: string): Promise<string>;
}

interface CliChange {
  readonly input?: NonNullable<Program['input']>;
  readonly env?: Readonly<Record<string, string>>;
  /** Used instead of the project that tests share. */
  readonly project?: string;
  /** Files in the working directory of the command, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Sets up the command line for one test file. Registers a hook that fails at the end of the file if the command line
 * has sent a request to another server.
 */
export function useFirebaseCli(): FirebaseCli {
  let folder = '';
  let route: SingleRoute | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearth-firebase-'));
    route = await openSingleRoute(inject('serverUrl'));
  });
  afterAll(async () => {
    await route?.close();
    await rm(folder, { recursive: true, force: true });
    expect(route?.strays).toEqual([]);
  });
  const run: FirebaseCli['run'] = async (database, args, change = {}) => {
    // Each run has its own folder, because the command line writes a log of errors into its working directory.
    const cwd = await mkdtemp(join(folder, 'run-'));
    await signIn(cwd);
    for (const [name, text] of Object.entries(change.files ?? {})) await writeFile(join(cwd, name), text);
    const instance = database === undefined ? [] : ['--instance', database];
    return runProgram({
      command: NODE_BINARY,
      args: [FIREBASE, ...args, ...instance, '--project', change.project ?? PROJECT, '--non-interactive'],
      cwd,
      env: { ...environment(cwd, route?.url ?? ''), ...change.env },
      input: change.input ?? '',
    });
  };
  return {
    run,
    async succeed(database, args, change) {
      const ended = await run(database, args, change);
      expect(ended, args.join(' ')).toMatchObject({ code: 0 });
      return ended.stdout;
    },
    async writeInput(name, text) {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
  };
}

/**
 * Returns variables that turn off messages and updates (`CI`), and that send all requests of the command line to the
 * server.
 */
function environment(home: string, proxyUrl: string): Record<string, string> {
  const server = inject('serverUrl');
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    CI: '1',
    NO_COLOR: '1',
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    FIREBASE_RTDB_MANAGEMENT_URL: server,
    FIREBASE_RTDB_METADATA_URL: server,
    FIREBASE_API_URL: server,
    FIREBASE_RESOURCEMANAGER_URL: server,
    FIREBASE_TOKEN_URL: server,
  };
}

/** Makes the command line believe that a user is signed in; otherwise it runs no command. */
async function signIn(home: string): Promise<void> {
  const tokens = { access_token: 'owner', refresh_token: 'none', expires_at: Number.MAX_SAFE_INTEGER };
  await mkdir(join(home, 'configstore'));
  await writeFile(
    join(home, 'configstore/firebase-tools.json'),
    JSON.stringify({ user: { email: 'somebody@example.com' }, tokens }),
  );
}
