import type { ConsoleStand } from './console-stand.ts';

/** Databases of a stand, of which each test has one of its own. */
export interface DataBases {
  /** Puts data into a new one, and returns its name. */
  seed(data: unknown): Promise<string>;
  put(name: string, path: string, data: unknown): Promise<unknown>;
  get(name: string, path?: string): Promise<unknown>;
}

export function databasesOf(stand: ConsoleStand): DataBases {
  const put: DataBases['put'] = (name, path, data) => stand.admin('PUT', `${path}.json?ns=${name}`, data);
  return {
    async seed(data) {
      const name = `data-${crypto.randomUUID().slice(0, 8)}`;
      await put(name, '/', data);
      return name;
    },
    put,
    get: (name, path = '/') => stand.admin('GET', `${path}.json?ns=${name}`),
  };
}
