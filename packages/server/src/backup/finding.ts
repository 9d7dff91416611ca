/** What one check of a data directory came to. */
export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'problem';
  /** One word for what was looked at. */
  readonly check: string;
  /** Sentences for people: what was found and, unless it is ok, what to do. */
  readonly message: string;
}

export function ok(check: string, message: string): Finding {
  return { verdict: 'ok', check, message };
}

export function warning(check: string, message: string): Finding {
  return { verdict: 'warning', check, message };
}

export function problem(check: string, message: string): Finding {
  return { verdict: 'problem', check, message };
}
