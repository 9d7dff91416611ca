import { expect, onTestFinished, test, vi } from 'vitest';
import { mountView } from './mounted-view.fixture.tsx';
import { PlainTimeText, TimeText } from './time-text.tsx';

test('[C792] a relative time is updated while it is shown', async () => {
  const nowMs = Date.UTC(2030, 0, 1);
  vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const view = await mountView(
    <>
      <TimeText ms={nowMs - 60_000} />
      <PlainTimeText ms={nowMs - 3_600_000} />
    </>,
  );
  const texts = (): readonly (string | null)[] =>
    [...view.querySelectorAll('time')].map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(['1 minute ago', '1 hour ago']);
  vi.advanceTimersByTime(2 * 60_000);
  await expect.poll(texts).toEqual(['3 minutes ago', '1 hour ago']);
  vi.advanceTimersByTime(3_600_000);
  await expect.poll(texts).toEqual(['1 hour ago', '2 hours ago']);
});
