import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ProjectSettings } from '../project-settings.ts';

/** What members need beside their value. */
export interface ConfigContext {
  /** The settings that the new ones replace. */
  readonly before: ProjectSettings;
  /** Seals what is never told. */
  readonly secretBox: SecretBox;
}

/** One member of a project's configuration as the interface has it, and the setting that it is. */
export interface ConfigMember {
  /** Names of members, with dots between. */
  readonly path: string;
  /** `undefined` for nothing. */
  readonly encode: (settings: ProjectSettings) => unknown;
  /** What of the setting is not told, so that a change of it is noticed all the same. */
  readonly untold?: (settings: ProjectSettings) => unknown;
  /** The settings with the member as it is given, or without it for `undefined`. Throws an `IdentityError`. */
  readonly apply: (
    settings: ProjectSettings,
    value: unknown,
    path: string,
    context: ConfigContext,
  ) => ProjectSettings;
}
