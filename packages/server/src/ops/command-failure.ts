/** Why a command could not do what it was asked for, in sentences for the person who gave it. Its exit code is 1. */
export class CommandFailure extends Error {
  constructor(sentences: string, cause?: unknown) {
    super(sentences, cause === undefined ? undefined : { cause });
    this.name = 'CommandFailure';
  }
}
