/** Identifies an app of the SDK within a browser: two apps of a page may use different projects. */
export interface AppKey {
  readonly apiKey: string;
  readonly appName: string;
}

/** Returns the name under which an app stores data. */
export function storageKeyOf({ apiKey, appName }: AppKey): string {
  return `${apiKey}:${appName}`;
}
