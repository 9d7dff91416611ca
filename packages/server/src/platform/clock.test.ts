import { expect, test, vi } from 'vitest';
import { nowMs } from './clock.ts';

test('[H51] the time of the server never goes back', () => {
  const now = vi.spyOn(Date, 'now');
  try {
    now.mockReturnValue(4_000_000_000_000);
    expect(nowMs()).toBe(4_000_000_000_000);
    now.mockReturnValue(3_999_999_999_999);
    expect(nowMs()).toBe(4_000_000_000_000);
    now.mockReturnValue(4_000_000_000_001);
    expect(nowMs()).toBe(4_000_000_000_001);
  } finally {
    now.mockRestore();
  }
});
