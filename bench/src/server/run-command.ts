import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerCommand } from './command.ts';

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
