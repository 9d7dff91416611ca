/** The settings for a project's passkeys. */
export interface ProjectPasskeys {
  readonly isEnabled: boolean;
  /**
   * The domain for which passkeys are valid (RP ID); `null` for the host of this server. All passkeys of the project
   * become unusable when it changes.
   */
  readonly rpId: string | null;
  readonly userVerification: UserVerification;
  /** Whether users without any sign-in method may add a passkey. */
  readonly areAnonymousAllowed: boolean;
  /** SHA-256 of the keys that sign the project's Android apps, base64url. */
  readonly androidKeyHashes: readonly string[];
  /** Names of the project's Android apps, such as `com.example.app`. */
  readonly androidPackages: readonly string[];
  /** App IDs of the project's apps for Apple devices: the team, a dot and the bundle ID. */
  readonly appleAppIds: readonly string[];
}

/**
 * Whether an authenticator has to verify the user at sign-in, by a finger or a code. `PREFERRED`: a sign-in without this
 * is one factor, and the server asks for the second factor of the account.
 */
export const USER_VERIFICATIONS = ['REQUIRED', 'PREFERRED'] as const;
export type UserVerification = (typeof USER_VERIFICATIONS)[number];

/** The settings of a new project outside development mode. */
export const NEW_PASSKEYS: ProjectPasskeys = {
  isEnabled: false,
  rpId: null,
  userVerification: 'REQUIRED',
  areAnonymousAllowed: true,
  androidKeyHashes: [],
  androidPackages: [],
  appleAppIds: [],
};

export const DEVELOPMENT_PASSKEYS: ProjectPasskeys = { ...NEW_PASSKEYS, isEnabled: true };
