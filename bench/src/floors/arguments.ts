import { parseArgs } from 'node:util';

/**
 * The arguments of a floor, a minimal server that the bench compares with Hearth, and of the fake server. `lie` names
 * what the program omits or does wrongly.
 */
export type FloorArguments = { readonly port: number; readonly dataDirectory: string; readonly lie: string };

/** Parses `--port N --data DIR [--lie WORD]`. Throws if an argument is unknown or missing. */
export function parseFloorArguments(): FloorArguments {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, data: { type: 'string' }, lie: { type: 'string', default: 'none' } },
  });
  if (values.port === undefined || values.data === undefined)
    throw new Error('a floor needs --port and --data');
  return { port: Number(values.port), dataDirectory: values.data, lie: values.lie };
}

/**
 * Returns the greeting that a client waits for. All connections get the same session id, because floors have no
 * sessions.
 */
export function encodeGreeting(port: number): string {
  return JSON.stringify({
    t: 'c',
    d: { t: 'h', d: { ts: Date.now(), v: '5', h: `127.0.0.1:${port}`, s: 'floor' } },
  });
}
