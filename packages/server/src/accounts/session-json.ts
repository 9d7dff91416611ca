import type { JsonObject } from './fields.ts';
import type { Session } from './session.ts';

/** What is told of sessions, the last used first. */
export function sessionsJson(sessions: readonly Session[]): readonly JsonObject[] {
  return sessions.toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs).map(sessionJson);
}

function sessionJson(session: Session): JsonObject {
  return {
    sessionId: session.id,
    createdAt: String(session.createdAtMs),
    lastUsedAt: String(session.lastUsedAtMs),
    signInProvider: session.provider,
    secondFactor: session.secondFactor?.kind,
    userAgent: session.device.userAgent,
    network: session.device.network,
  };
}
