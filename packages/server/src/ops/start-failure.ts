/** Why the server does not start, in one sentence for the person who started it. Nothing has been touched. */
export class StartFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = 'StartFailure';
  }
}
