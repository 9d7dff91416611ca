const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\\\s]+)(?::[0-9]*)?$/;

/**
 * The name in a `Host` header, in lower case, without port and final dot; an IPv6 address stays in its brackets.
 * `undefined` for anything that is not a host.
 */
export function parseHostName(header: string): string | undefined {
  const name = HOST.exec(header.toLowerCase())?.[1];
  return name?.endsWith('.') ? name.slice(0, -1) : name;
}
