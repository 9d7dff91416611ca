import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * The command that starts a server: arguments for this Node, before `--port N --data DIR`, and variables that are
 * added to the environment.
 */
export type ServerCommand = {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

/** The same value as in the `start` script. */
const HEAP_FLAG = '--max-semi-space-size=8';

/** The command line of Hearth, run from its source. */
export const HEARTH_COMMAND: ServerCommand = {
  name: 'hearth',
  arguments: ['--conditions=source', HEAP_FLAG, sourceFile('../../../packages/server/src/cli/main.ts')],
};

/** Hearth in development mode. */
export const HEARTH: ServerCommand = { name: 'hearth dev', arguments: [...HEARTH_COMMAND.arguments, 'dev'] };

/**
 * `ws`, `JSON.parse` and one LMDB transaction per iteration of the event loop: the minimum work of a server with
 * durable writes.
 */
export const WRITE_FLOOR = floor('write-floor');

/**
 * `node:http` over LMDB: the minimum cost of reading a value over REST, or of writing it with its record in
 * the log.
 */
export const REST_FLOOR = floor('rest-floor');

/** `REST_FLOOR` without the log of writes that Hearth promises. */
export const UNLOGGED_REST_FLOOR: ServerCommand = {
  name: 'rest-floor (unlogged)',
  arguments: [...REST_FLOOR.arguments, '--lie', 'unlogged'],
};

/** `node:http` that parses requests and sends a constant response: the minimum cost of an Auth request. */
export const AUTH_FLOOR = floor('auth-floor');

/** One prepared frame that is written to each socket: the minimum work of a fan-out without coalescing. */
export const FAN_OUT_FLOOR = floor('fan-out-floor');

/** Connections that `ws` only keeps open. */
export const IDLE_FLOOR = floor('idle-floor');

/** The promise that a fake server breaks, for tests of the bench's own checks. */
export type Lie = 'none' | 'forgetful' | 'torn' | 'misindexed' | 'ending' | 'stuck';

/**
 * Returns the command of a small in-memory server with a journal. It supports only reads and writes over WebSocket, as
 * the scenario `crash` uses them.
 */
export function fakeServer(lie: Lie): ServerCommand {
  const { arguments: base } = floor('fake-server');
  return { name: `fake server (${lie})`, arguments: [...base, '--lie', lie] };
}

function floor(name: string): ServerCommand {
  return { name, arguments: ['--conditions=source', sourceFile(`../floors/${name}.ts`)] };
}

function sourceFile(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** The result of a program that has ended. */
export type CommandResult = { readonly code: number | null; readonly output: string };

const KEPT_CHARACTERS = 4_000;

/** A program that runs until it exits or is killed. */
export type RunningCommand = { readonly kill: () => void; readonly ended: Promise<CommandResult> };

/** Starts a program of this repository with arguments. */
export function runCommand(command: ServerCommand, args: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [...command.arguments, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...command.environment },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return { kill: () => child.kill('SIGKILL'), ended };
}
