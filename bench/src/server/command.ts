import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How to start a server: arguments for this Node, before `--port N --data DIR`. */
export type ServerCommand = { readonly name: string; readonly arguments: readonly string[] };

/** As in the script `start`. */
const HEAP_FLAG = '--max-semi-space-size=8';

/** The command line of Hearth, run from its source. */
export const HEARTH_COMMAND: ServerCommand = {
  name: 'hearth',
  arguments: ['--conditions=source', HEAP_FLAG, sourceFile('../../../packages/server/src/cli/main.ts')],
};

/** Hearth in development mode. */
export const HEARTH: ServerCommand = { name: 'hearth dev', arguments: [...HEARTH_COMMAND.arguments, 'dev'] };

/** `ws`, `JSON.parse` and one LMDB transaction per turn: the least a durable write server does. */
export const WRITE_FLOOR = floor('write-floor');

/** `node:http` over LMDB: the least that reading a value, or writing it with its record in the log, can cost over REST. */
export const REST_FLOOR = floor('rest-floor');

/** The same without a log: less than Hearth promises. */
export const UNLOGGED_REST_FLOOR: ServerCommand = {
  name: 'rest-floor (unlogged)',
  arguments: [...REST_FLOOR.arguments, '--lie', 'unlogged'],
};

/** `node:http` that parses what it is asked and answers from a constant: the least that a request of identity can cost. */
export const IDENTITY_FLOOR = floor('identity-floor');

/** One pre-built frame written to each socket: the least an uncoalesced fan-out does. */
export const FAN_OUT_FLOOR = floor('fan-out-floor');

/** Connections held open by `ws` and nothing else. */
export const IDLE_FLOOR = floor('idle-floor');

/** What a stand-in does wrong, so that the checks of the bench can be checked. */
export type Lie = 'none' | 'forgetful' | 'torn' | 'misindexed';

/** A small in-memory server with a journal that speaks enough of the protocol for every scenario. */
export function startFakeServer(lie: Lie): ServerCommand {
  const { arguments: base } = floor('stand-in');
  return { name: `stand-in (${lie})`, arguments: [...base, '--lie', lie] };
}

function floor(name: string): ServerCommand {
  return { name, arguments: ['--conditions=source', sourceFile(`../floors/${name}.ts`)] };
}

function sourceFile(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** How a program ended. */
export type CommandResult = { readonly code: number | null; readonly output: string };

const KEPT_CHARACTERS = 4_000;

/** A program that was started and runs until it ends by itself or is killed. */
export type RunningCommand = { readonly kill: () => void; readonly ended: Promise<CommandResult> };

/** Starts a program of this repository with arguments. */
export function runCommand(command: ServerCommand, args: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, [...command.arguments, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
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
