import type { ProjectSettings } from './project-settings.ts';
import type { PresentedToken } from './refresh-tokens.ts';
import type { Device, Session } from './session.ts';

/** How long a token goes on to count after the next was handed out, so that a lost answer or a second tab does no harm. */
const GRACE_MS = 120_000;
/** The same once the next was used as well. */
const SHORT_GRACE_MS = 10_000;
/** Beyond these, even the same client is not forgiven. */
const MAX_FORGIVEN_GENERATIONS = 50;
const MAX_FORGIVEN_MS = 30 * 86_400_000;

/** The session after a genuine token of it was used; `undefined` when that ends it. */
export function useRefreshToken(
  session: Session,
  { generation }: Pick<PresentedToken, 'generation'>,
  device: Device,
  limits: ProjectSettings['session'],
  nowMs: number,
): Session | undefined {
  if (isOver(session, limits, nowMs)) return undefined;
  const used = { ...session, lastUsedAtMs: nowMs };
  if (!session.isRotating) return used;
  const age = session.generation - generation;
  if (age === 0)
    return {
      ...used,
      generation: generation + 1,
      rotatedAtMs: nowMs,
      previousRotatedAtMs: session.rotatedAtMs,
    };
  if (age < 0) return undefined;
  if (age === 1 && nowMs - session.rotatedAtMs <= GRACE_MS) return used;
  if (age === 2 && nowMs - session.previousRotatedAtMs <= SHORT_GRACE_MS) return used;
  const isForgiven =
    limits.isReuseLenient &&
    age <= MAX_FORGIVEN_GENERATIONS &&
    nowMs - session.rotatedAtMs <= MAX_FORGIVEN_MS &&
    device.userAgent === session.device.userAgent &&
    device.network === session.device.network;
  return isForgiven ? used : undefined;
}

/** Has a session lasted, or lain unused, for longer than its project lets it? */
export function isOver(
  { createdAtMs, lastUsedAtMs }: Session,
  { idleLimitMs, absoluteLimitMs }: ProjectSettings['session'],
  nowMs: number,
): boolean {
  return (
    (idleLimitMs !== null && nowMs - lastUsedAtMs > idleLimitMs) ||
    (absoluteLimitMs !== null && nowMs - createdAtMs > absoluteLimitMs)
  );
}
