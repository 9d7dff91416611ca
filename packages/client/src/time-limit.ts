/** Maximum time for a request to the server and its response, in ms. The SDK waits as long. */
const LIMIT_MS = 30_000;

/**
 * Runs a request, and aborts its signal if the response is not complete in time. React Native and older browsers have no
 * `AbortSignal.timeout`.
 */
export async function withTimeLimit<T>(
  request: (signal: AbortSignal) => Promise<T>,
  limitMs: number = LIMIT_MS,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
