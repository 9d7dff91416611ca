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
