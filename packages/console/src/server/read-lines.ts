/** The lines of an answer as they come, without their ends. A last line without an end counts too. */
export async function* readLines({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
