import type { Action } from '../action.ts';

/** Answers with what was sent, for clients' own tests. */
export const echo: Action = (_session, _turn, body) =>
  JSON.stringify(body['d'] ?? null, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
