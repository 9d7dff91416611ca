import type { Hearth } from '../server/hearth.ts';

/** Returns the value of a metric of the server. */
async function readMetric(hearth: Hearth, name: string): Promise<number> {
  const text = await hearth.administer('GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`The server has no metric ${name}.`);
  return Number(line.slice(name.length + 1));
}

/** Returns a check that the server has forgotten what the attacker held of a shared resource. */
export function holdsAtMost(resource: string, most: number): (hearth: Hearth) => Promise<readonly string[]> {
  return async (hearth) => {
    const held = await readMetric(hearth, `hearth_resource_used{resource="${resource}"}`);
    return held <= most ? [] : [`After the attack, ${held} of ${resource} are in use.`];
  };
}

/** Returns a check that the sessions of the attacker have ended. */
export function connectsAtMost(most: number): (hearth: Hearth) => Promise<readonly string[]> {
  return async (hearth) => {
    const connected = await readMetric(hearth, 'hearth_connections');
    return connected <= most ? [] : [`After the attack, ${connected} clients are connected.`];
  };
}
