import type { Fetch } from './api.ts';

/** Responses by path: an object is JSON with status 200, a string is an error code. */
type Answers = Readonly<Record<string, readonly (object | string)[]>>;

/** A sent request: path with query, and body. */
type SentRequest = readonly [address: string, body: unknown];

/**
 * Returns a `fetch` and the requests that it was called with. Requests to a path get the responses of its list in order,
 * and then the last one repeatedly. Requests to other paths get status 503.
 */
export function fakeServer(answers: Answers): { readonly fetch: Fetch; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: Fetch = async (input, init) => {
    const address = String(input);
    const body: unknown = init?.body === undefined ? undefined : JSON.parse(String(init.body));
    const [path = ''] = address.split('?');
    const list = answers[path] ?? [];
    const answer = list[Math.min(sent.filter(([one]) => one === address).length, list.length - 1)];
    sent.push([address, body]);
    if (answer === undefined) return new Response('Service Unavailable', { status: 503 });
    if (typeof answer === 'object') return Response.json(answer);
    const error = {
      code: 400,
      message: answer,
      errors: [{ message: answer, domain: 'global', reason: 'invalid' }],
    };
    return Response.json({ error }, { status: 400 });
  };
  return { fetch, sent };
}
