const LOOPBACK = /^(?:127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}|::1|localhost)$/i;

/** Is it an address of this machine only, or the name that stands for one? IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
