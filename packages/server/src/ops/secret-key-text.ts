import type { Environment } from './option.ts';

/** The key of secrets, if the environment gives it. No flag does, because everybody can read command lines. */
export function findSecretKeyText(environment: Environment = process.env): string | undefined {
  return environment['HEARTH_SECRET_KEY'] || undefined;
}
