import { CommanderError } from 'commander';
import { CommandFailure, StartFailure } from '../platform/failures.ts';
import { disablePretenuring, limitHeapGrowth } from '../platform/process.ts';
import { createProgram } from './program.ts';
import { Interruption } from './signals.ts';

/**
 * Exit codes: 0 is success, 1 is a failure or a bug, 2 means that the command could not start as requested.
 */
const FAILED = 1;
const CANNOT_START = 2;

limitHeapGrowth();
disablePretenuring();
try {
  await createProgram().parseAsync();
  process.exit();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : CANNOT_START);
  if (error instanceof StartFailure) {
    process.stderr.write(`hearth: ${error.message}\n`);
    process.exit(CANNOT_START);
  }
  if (error instanceof Interruption) {
    process.stderr.write(`hearth: ${error.message}\n`);
    process.exit(error.exitCode);
  }
  if (error instanceof CommandFailure) {
    process.stderr.write(`hearth: ${error.message}\n`);
    process.exit(FAILED);
  }
  process.stderr.write(`hearth: unexpected error\n${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(FAILED);
}
