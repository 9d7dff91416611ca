import { StartFailure } from './start-failure.ts';

/** What to tell somebody whose server cannot listen; any other error as it is. */
export function explainBindFailure(cause: unknown, host: string, port: number): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `Port ${port} is in use on ${host}: stop the program that listens there, or choose another port with --port.`,
        cause,
      );
    case 'EACCES':
      return new StartFailure(
        `Port ${port} may not be used by this user: choose one above 1023 with --port.`,
        cause,
      );
    case 'EADDRNOTAVAIL':
      return new StartFailure(`This machine has no address ${host}: choose another with --host.`, cause);
    default:
      return cause;
  }
}
