import { expect, test } from 'vitest';
import { Api, ApiError, isIncomplete, printError } from './client.ts';

/** Responds with a text; with `breaks`, the connection fails before the response ends. */
class AnsweringApi extends Api {
  readonly #text: string;
  readonly #breaks: boolean;

  constructor(text: string, breaks = false) {
    super(null);
    this.#text = text;
    this.#breaks = breaks;
  }

  override async send(): Promise<Response> {
    const parts = [new TextEncoder().encode(this.#text)];
    return new Response(
      new ReadableStream({
        pull: (controller) => {
          const part = parts.shift();
          if (part !== undefined) controller.enqueue(part);
          else if (this.#breaks) controller.error(new TypeError('network error'));
          else controller.close();
        },
      }),
    );
  }
}

/** Returns the kinds of the received lines, and the error at the end, if any. */
async function read(api: Api, signal?: AbortSignal): Promise<readonly string[]> {
  const kinds: string[] = [];
  try {
    for await (const { kind } of api.lines('/lines', { signal })) kinds.push(kind);
  } catch (error) {
    kinds.push(isIncomplete(error) ? 'incomplete' : String(error));
  }
  return kinds;
}

const HIT = '{"kind":"hit"}\n';
const DONE = '{"kind":"done"}\n';

test.each<readonly [string, string, boolean, readonly string[]]>([
  ['complete lines', HIT + DONE, false, ['hit', 'done']],
  ['lines without the last one', HIT, false, ['hit', 'incomplete']],
  ['a failing connection', HIT, true, ['hit', 'incomplete']],
  ['a partial line', `${HIT}{"ki`, false, ['hit', 'incomplete']],
  ['an empty response', '', false, ['incomplete']],
])('[C404] the client detects whether a response is complete: %s', async (_name, text, breaks, kinds) => {
  expect(await read(new AnsweringApi(text, breaks))).toEqual(kinds);
});

test('[C404] a response that the reader aborts is not reported as incomplete', async () => {
  const abort = new AbortController();
  abort.abort();
  expect(await read(new AnsweringApi(HIT, true), abort.signal)).toEqual(['hit', 'TypeError: network error']);
});

test('[C523] the sentence of an error is shown without the code of the Auth API', () => {
  expect(printError(new ApiError(400, 'INVALID_CONFIG : replyTo must be an address.'))).toBe(
    'replyTo must be an address.',
  );
  expect(printError(new ApiError(400, 'EMAIL_EXISTS'))).toBe('EMAIL_EXISTS');
  expect(printError(new Error('A : b'))).toBe('A : b');
});
