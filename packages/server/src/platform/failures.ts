import { RequestError } from '@hearth/core/error/request-error.ts';

/**
 * The error that is thrown when the server cannot start. The message consists of sentences for the operator.
 */
export class StartFailure extends Error {
  constructor(sentences: string, cause?: unknown) {
    super(sentences, cause === undefined ? undefined : { cause });
    this.name = 'StartFailure';
  }
}

/**
 * The error that is thrown when a command fails. The message consists of sentences for the user of the
 * command. The exit code is 1.
 */
export class CommandFailure extends Error {
  constructor(sentences: string, cause?: unknown) {
    super(sentences, cause === undefined ? undefined : { cause });
    this.name = 'CommandFailure';
  }
}

/** Returns a `StartFailure` that explains why the server cannot listen, or any other error unchanged. */
export function explainBindFailure(cause: unknown, host: string, port: number): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `Port ${port} is in use on ${host}. Stop the program that listens there, or choose another port with --port.`,
        cause,
      );
    case 'EACCES':
      return new StartFailure(
        `Port ${port} requires privileges that this user does not have. Choose a port above 1023 with --port.`,
        cause,
      );
    case 'EADDRNOTAVAIL':
      return new StartFailure(`This machine has no address ${host}. Choose another with --host.`, cause);
    default:
      return cause;
  }
}

/**
 * Returns a `StartFailure` that says why the data of a directory cannot be used, or any other error unchanged. Errors of
 * LMDB have a number as `code`.
 */
export function explainStoreFailure(cause: unknown, directory: string): unknown {
  if (cause instanceof RequestError)
    return cause.code === 'internal/error' && cause.cause !== undefined
      ? explainStoreFailure(cause.cause, directory)
      : new StartFailure(`The data in ${directory} cannot be used. ${cause.message}`, cause);
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'number')) return cause;
  return new StartFailure(
    `The data file in ${directory} cannot be read: ${cause.message.trim()}. To see whether it is damaged: hearth doctor --data ${directory}`,
    cause,
  );
}
