/** An answer of the server that is a refusal, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Status of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** What the server calls the refusal, where it does. */
  readonly code: string | undefined;
  /** The whole body of the answer, where it was JSON. */
  readonly details: unknown;

  constructor(status: number, message: string, code?: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const BROKEN_OFF = 'broken-off';

/** What is thrown when an answer ends before it is complete. */
export function brokenOff(cause?: unknown): ApiError {
  return new ApiError(0, 'The answer broke off.', BROKEN_OFF, undefined, { cause });
}

/** Was there no answer, as when the server is down or cannot be reached? */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Did an answer begin, and end before it was complete? */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof ApiError && error.code === BROKEN_OFF;
}

/** Is it a refusal because the one who asks may not? */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
