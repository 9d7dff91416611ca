const MIB = 2 ** 20;

/** The rules of the database that the requests write to. */
export const DELAY_RULES = {
  rules: {
    open: { '.read': true, '.write': true, orders: { '.indexOn': 'user' } },
    users: { '.read': 'auth !== null' },
    reading: { '.read': true, '.write': 'newData.exists()' },
    validated: { '.read': true, '.write': true, $child: { '.validate': 'newData.exists()' } },
  },
};

/** A long request of an anonymous client. */
export interface LongRequest {
  readonly name: string;
  /** A method of HTTP, or an action over a WebSocket. */
  readonly send: 'PUT' | 'PATCH' | 'p' | 'm' | 'echo';
  /** Without a slash at the start. */
  readonly path: string;
  /** Returns the data. Called when the request is sent, because all data together are large. */
  readonly data: () => unknown;
}

/** Returns an object with `count` members. */
function members(count: number, nameAt: (n: number) => string, valueAt: (n: number) => unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [nameAt(n), valueAt(n)]));
}

function manyChildren(): object {
  return members(
    200_000,
    (n) => `child${n}`,
    (n) => ({ n }),
  );
}

function manyPaths(count: number): object {
  return members(
    count,
    (n) => `a${n}/b`,
    (n) => n,
  );
}

/** The requests whose delays are measured. Each is among the longest of its kind. */
export const LONG_REQUESTS: readonly LongRequest[] = [
  { name: 'value of 200,000 children', send: 'p', path: 'open/a', data: manyChildren },
  { name: 'value that .write reads', send: 'p', path: 'reading/a', data: manyChildren },
  { name: 'value with .validate for each child', send: 'p', path: 'validated', data: manyChildren },
  {
    name: 'value with an increment',
    send: 'p',
    path: 'open/a',
    data: () => ({ ...manyChildren(), count: { '.sv': { increment: 1 } } }),
  },
  { name: 'string of 9 MiB', send: 'p', path: 'open/text', data: () => 'x'.repeat(9 * MIB) },
  { name: 'string of escape sequences', send: 'p', path: 'open/text', data: () => '\n'.repeat(4.5 * MIB) },
  { name: 'echo of a string of 9 MiB', send: 'echo', path: 'open', data: () => 'x'.repeat(9 * MIB) },
  { name: 'update of 5,000 paths', send: 'm', path: 'open/m', data: () => manyPaths(5_000) },
  { name: 'update of 50,000 paths', send: 'm', path: 'open/m', data: () => manyPaths(50_000) },
  { name: 'update with one long value', send: 'm', path: 'open/m', data: () => ({ a: manyChildren() }) },
  { name: 'PUT of 200,000 children', send: 'PUT', path: 'open/b', data: manyChildren },
  { name: 'PUT of a string of 9 MiB', send: 'PUT', path: 'open/text', data: () => 'x'.repeat(9 * MIB) },
  { name: 'PATCH of 50,000 paths', send: 'PATCH', path: 'open/n', data: () => manyPaths(50_000) },
  { name: 'PATCH with one long value', send: 'PATCH', path: 'open/n', data: () => ({ a: manyChildren() }) },
];
