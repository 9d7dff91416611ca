/** How long the other side may take, in ms. */
const TIMEOUT_MS = 30_000;

/** Posts JSON and resolves to the status of the answer. Rejects when there is none in time, or when the signal is aborted. */
export async function postJson(url: string, json: Buffer, signal: AbortSignal): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array(json),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await answer.arrayBuffer();
  return answer.status;
}
