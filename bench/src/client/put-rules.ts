import type { Json } from './json.ts';

/** Stores the rules of a namespace with the development-mode owner credential. Throws unless the server accepts them. */
export async function putRules(port: number, namespace: string, rules: Json): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/.settings/rules.json?ns=${namespace}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the rules were refused: ${answer.status} ${text}`);
}
