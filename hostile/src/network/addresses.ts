import { spawnSync } from 'node:child_process';
import { networksOf } from './target.ts';

/** Addresses on the loopback interface that exist until disposal. */
export class LoopbackAddresses implements Disposable {
  readonly #networks: readonly string[];

  private constructor(networks: readonly string[]) {
    this.#networks = networks;
  }

  /** Adds the networks of a run. Returns `undefined` if this process may not change the loopback interface. */
  static add(addressGroup: number): LoopbackAddresses | undefined {
    const networks = networksOf(addressGroup);
    const added = new LoopbackAddresses(networks);
    if (networks.every((network) => changeRoute('replace', network))) return added;
    added[Symbol.dispose]();
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const network of this.#networks) changeRoute('del', network);
  }
}

function changeRoute(change: 'replace' | 'del', network: string): boolean {
  const { status } = spawnSync('ip', ['route', change, 'local', network, 'dev', 'lo'], { stdio: 'ignore' });
  return status === 0;
}
