import { expect, test } from 'vitest';
import { Api, isBrokenOff } from './client.ts';

/** Answers with a text, which the connection may break before its end. */
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

/** The kinds of lines that come, and whether they broke off. */
async function read(api: Api, signal?: AbortSignal): Promise<readonly string[]> {
  const kinds: string[] = [];
  try {
    for await (const { kind } of api.lines('/lines', { signal })) kinds.push(kind);
  } catch (error) {
    kinds.push(isBrokenOff(error) ? 'broken off' : String(error));
  }
  return kinds;
}

const HIT = '{"kind":"hit"}\n';
const DONE = '{"kind":"done"}\n';

test.each<readonly [string, string, boolean, readonly string[]]>([
  ['lines that come to their end', HIT + DONE, false, ['hit', 'done']],
  ['lines that end before', HIT, false, ['hit', 'broken off']],
  ['a connection that breaks', HIT, true, ['hit', 'broken off']],
  ['half a line', `${HIT}{"ki`, false, ['hit', 'broken off']],
  ['no line at all', '', false, ['broken off']],
])('[C404] of %s is known whether they are all', async (_name, text, breaks, kinds) => {
  expect(await read(new AnsweringApi(text, breaks))).toEqual(kinds);
});

test('[C404] what whoever reads has ended did not break off', async () => {
  const abort = new AbortController();
  abort.abort();
  expect(await read(new AnsweringApi(HIT, true), abort.signal)).toEqual(['hit', 'TypeError: network error']);
});
