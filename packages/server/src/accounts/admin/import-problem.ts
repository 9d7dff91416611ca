/** Why one account of an import is left out; the message is for whoever imports. */
export class ImportProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImportProblem';
  }
}
