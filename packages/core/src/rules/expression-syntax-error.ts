/** The first place at which a text stops being an expression of the rules language: an offset in the document. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = 'ExpressionSyntaxError';
    this.offset = offset;
  }
}
