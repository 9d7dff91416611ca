import { inject } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';

/** Rules that allow everything, with the index of the official suites and the indexes that the suites here use. */
const OPEN_RULES: JsonObject = {
  rules: {
    '.read': true,
    '.write': true,
    testing: { '.indexOn': 'testIndex' },
    indexed: { $test: { '.indexOn': ['n', 'deep/n', '.value'] } },
  },
};

/** Returns the name of a namespace that no other test uses, with the given rules. */
export async function openNamespace(rules: JsonObject = OPEN_RULES): Promise<string> {
  const name = `conformance-${crypto.randomUUID()}`;
  await writeRules(name, rules);
  return name;
}

/** Replaces the rules of a namespace. Throws if the server rejects them. */
export async function writeRules(namespace: string, rules: JsonObject): Promise<void> {
  const answer = await putRules(namespace, JSON.stringify(rules));
  if (answer.status !== 200) throw new Error(`The rules were rejected: ${answer.status} ${answer.text}`);
}

/** Uploads rules text to the server and returns the HTTP response. */
export async function putRules(
  namespace: string,
  text: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${inject('testBedUrl')}/rules/${namespace}`, { method: 'POST', body: text });
  const body = parseJson(await answer.text());
  if (!isJsonObject(body)) throw new Error('The test bed sent no response.');
  return { status: Number(body['status']), text: String(body['text']) };
}
