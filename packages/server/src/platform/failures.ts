/** Why the server does not start, in one sentence for the person who started it. Nothing has been touched. */
export class StartFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = 'StartFailure';
  }
}

/** Why a command could not do what it was asked for, in sentences for the person who gave it. Its exit code is 1. */
export class CommandFailure extends Error {
  constructor(sentences: string, cause?: unknown) {
    super(sentences, cause === undefined ? undefined : { cause });
    this.name = 'CommandFailure';
  }
}

/** What to tell somebody whose server cannot listen; any other error as it is. */
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
