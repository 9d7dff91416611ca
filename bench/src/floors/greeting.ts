/** The control message a client waits for. A floor has one session and no use for its name. */
export function encodeGreeting(port: number): string {
  return JSON.stringify({
    t: 'c',
    d: { t: 'h', d: { ts: Date.now(), v: '5', h: `127.0.0.1:${port}`, s: 'floor' } },
  });
}
