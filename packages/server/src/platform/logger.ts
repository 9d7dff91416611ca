import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';

/** Logs named fields and a sentence. Never log a whole request, because requests carry credentials. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The destination of log lines. */
export interface LogStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Returns a logger that writes one JSON object per line, or one line of readable text if the stream is a
 * terminal.
 */
export function createLogger(level: LogLevel, stream: LogStream): Logger {
  return pino(
    { level, base: null, serializers: { err: stdSerializers.errWithCause } },
    stream.isTTY === true ? { write: (line: string) => stream.write(formatLine(line)) } : stream,
  );
}

/** Returns `12:30:59.123 WARN sentence field=value`, then the stack of an error. */
function formatLine(line: string): string {
  const { level, time, msg, err, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clockTime = new Date(Number(time)).toISOString().slice(11, 23);
  const name = pino.levels.labels[Number(level)] ?? String(level);
  let text = `${clockTime} ${name.toUpperCase()} ${String(msg ?? '')}`;
  for (const [field, value] of Object.entries(fields)) text += ` ${field}=${JSON.stringify(value)}`;
  if (typeof err === 'object' && err !== null && 'stack' in err) text += `\n${String(err.stack)}`;
  return `${text}\n`;
}
