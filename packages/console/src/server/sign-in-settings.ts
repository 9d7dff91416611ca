import type { Api } from './api.ts';

/** The configuration of how people sign in to a project, as the official interface has it. */
export type SignInConfig = Readonly<Record<string, unknown>>;

function at(project: string): string {
  return `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}/config`;
}

export function readConfig(api: Api, project: string): Promise<SignInConfig> {
  return api.json(at(project));
}

/** Changes members of the configuration by their paths, such as `signIn.email.enabled`, and nothing else of it. */
export function changeConfig(
  api: Api,
  project: string,
  values: Readonly<Record<string, unknown>>,
): Promise<SignInConfig> {
  const body = Object.entries(values).reduce<SignInConfig>(
    (config, [path, value]) => withAt(config, path.split('.'), value),
    {},
  );
  const updateMask = Object.keys(values).join(',');
  return api.json(at(project), { method: 'PATCH', query: { updateMask }, body });
}

function withAt(json: SignInConfig, [name, ...rest]: readonly string[], value: unknown): SignInConfig {
  if (name === undefined) return json;
  const inner = json[name];
  const next = rest.length === 0 ? value : withAt(typeof inner === 'object' ? { ...inner } : {}, rest, value);
  return { ...json, [name]: next };
}
