import { expect } from 'vitest';
import type { EventLog } from './event-log.ts';
import { until } from './until.ts';

/** Fails the test unless the rules refuse a write, in the words of the SDK. */
export async function expectWriteDenied(write: Promise<unknown>): Promise<void> {
  await expect(write).rejects.toMatchObject({
    message: 'PERMISSION_DENIED: Permission denied',
    code: 'PERMISSION_DENIED',
  });
}

/** Waits until the listener of a log is cancelled by the rules, in the words of the SDK. `path` has no slash before it. */
export async function untilCancelled(log: EventLog, path: string): Promise<void> {
  await until(() =>
    expect(log.errors).toMatchObject([
      {
        message: `permission_denied at /${path}: Client doesn't have permission to access the desired data.`,
        code: 'PERMISSION_DENIED',
      },
    ]),
  );
}
