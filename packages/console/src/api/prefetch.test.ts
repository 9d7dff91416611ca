import { expect, onTestFinished, test, vi } from 'vitest';
import { Api } from './client.ts';
import { ImpersonationApi } from './impersonation.ts';
import { prefetch } from './prefetch.ts';

/** Returns an address that responds with a number; use a different one in each test. */
function addressOf(number: number): string {
  return `data:application/json,${number}`;
}

test('[C311] only the first request for a prefetched address uses the prefetched response', async () => {
  const address = addressOf(1);
  prefetch(address, null);
  const api = new Api(null);
  const first = await api.send(address, {});
  expect(await first.json()).toBe(1);
  const second = await api.send(address, {});
  expect(second).not.toBe(first);
  expect(await second.json()).toBe(1);
});

test('[C311] a view that closes before the prefetched response arrives aborts the request', async () => {
  const address = addressOf(2);
  prefetch(address, null);
  const abort = new AbortController();
  const answer = new Api(null).json(address, { signal: abort.signal });
  abort.abort();
  await expect(answer).rejects.toThrow(/abort/i);
});

test('[C311] a prefetch that was not used in time is aborted, and the request is sent again', async () => {
  const address = addressOf(3);
  const fetching = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetching.mockRestore());
  prefetch(address, null, performance.now() - 60_000);
  expect(await new Api(null).json(address)).toBe(3);
  const [[, ahead] = [], [, again] = []] = fetching.mock.calls;
  expect(fetching).toHaveBeenCalledTimes(2);
  expect(ahead?.signal?.aborted).toBe(true);
  expect(again?.signal?.aborted).not.toBe(true);
});

test('[C314] the error of a failed prefetch is passed to the request that uses it', async () => {
  const address = 'http://127.0.0.1:1/nobody';
  prefetch(address, null);
  await expect(new Api(null).json(address)).rejects.toMatchObject({ status: 0 });
});

test('[C398] the text of a complete prefetched response is available immediately, once', async () => {
  const address = addressOf(4);
  const api = new Api(null);
  prefetch(address, null);
  expect(api.takePrefetched(address)).toBeUndefined();
  await expect.poll(() => api.takePrefetched(address)).toBe('4');
  expect(api.takePrefetched(address)).toBeUndefined();
});

test('[C398] an impersonated user does not receive prefetched responses', async () => {
  const address = addressOf(5);
  const own = new Api(null);
  prefetch(address, null);
  const known = expect.poll(() => own.takePrefetched(address)).toBe('5');
  expect(new ImpersonationApi(own, null, () => {}).takePrefetched()).toBeUndefined();
  await known;
});
