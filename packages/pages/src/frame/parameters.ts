import type { AppKey } from '../relay/app-key.ts';

/** Parameters that the server writes into the frame. */
export interface FrameParameters extends AppKey {
  /** The origin of the app, if it has loaded the script of this server. The project has authorized it. */
  readonly appOrigin: string | undefined;
  /** The official script, which apps without the script of this server have loaded. Only in development mode. */
  readonly officialScript: string | undefined;
}

export function parseFrameParameters(json: unknown): FrameParameters {
  const record = typeof json === 'object' && json !== null ? json : {};
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(record, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    apiKey: text('apiKey') ?? '',
    appName: text('appName') ?? '',
    appOrigin: text('appOrigin'),
    officialScript: text('officialScript'),
  };
}
