/** How a provider signs users in. */
export type PresetProtocol =
  /** OpenID Connect. The endpoints come from the discovery document of the issuer. */
  | { readonly kind: 'oidc'; readonly issuer: string }
  /** OAuth 2 with an address that returns the profile of the user. */
  | {
      readonly kind: 'oauth2';
      readonly authorizationUrl: string;
      readonly tokenUrl: string;
      readonly profileUrl: string;
      /** The address of a profile with the email address of the user, for tokens with a scope that allows it. */
      readonly emailProfile?: { readonly scope: string; readonly url: string };
      /** How the server sends its client secret: in the `Authorization` header, or in the form. */
      readonly secretIn: 'header' | 'form';
    };

/** Peculiarities that need code. */
export type PresetQuirk =
  /** Returns with a form, which contains the name of a user who agrees for the first time. */
  | 'apple-form'
  /** The addresses of the user are at an address of their own. */
  | 'github-emails'
  /** Requests carry a MAC of the access token, and the token endpoint is asked which app a token is for. */
  | 'facebook-proof'
  /**
   * Clients of one owner obtain tokens for each other, such as a native app for the web client; an endpoint says which app
   * an access token is for.
   */
  | 'google-clients';

/** Names of the members of a profile from which an assertion is made. */
export interface ProfileMapping {
  /** The member of the response that holds the profile; absent if the response is the profile. */
  readonly within?: string;
  readonly rawId: string;
  /** Members with other ids of the same user, in the order in which accounts are looked for. */
  readonly otherRawIds?: readonly string[];
  readonly email: string;
  /** Absent if the provider never says whether the user owns the address. */
  readonly isEmailVerified?: string;
  readonly displayName: string;
  readonly photoUrl: string;
  readonly screenName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A provider that clients know by its name. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly protocol: PresetProtocol;
  readonly scopes: readonly string[];
  readonly profile: ProfileMapping;
  /** Whose addresses the provider proves, if the project does not decide otherwise. */
  readonly provenAddresses:
    | { readonly kind: 'none' }
    /** All addresses that the provider states to be verified. */
    | { readonly kind: 'verified' }
    /** Of those, the ones at a domain that the provider hosts: these domains, and the one in a claim. */
    | { readonly kind: 'hosted'; readonly domains: readonly string[]; readonly claim: string };
  readonly quirks: readonly PresetQuirk[];
  /** The address that says for which app an access token was issued; absent if the provider has none. */
  readonly tokenCheckUrl?: string;
}

/** The standard claims of OpenID Connect. */
export const OPENID_CLAIMS: ProfileMapping = {
  rawId: 'sub',
  email: 'email',
  isEmailVerified: 'email_verified',
  displayName: 'name',
  firstName: 'given_name',
  lastName: 'family_name',
  photoUrl: 'picture',
  screenName: 'preferred_username',
};
const NONE = { kind: 'none' } as const;
const OPENID_SCOPES = ['openid', 'email', 'profile'] as const;

/** The presets, by id. Sources: the documentation of each provider. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  'google.com': {
    id: 'google.com',
    name: 'Google',
    protocol: { kind: 'oidc', issuer: 'https://accounts.google.com' },
    scopes: OPENID_SCOPES,
    profile: OPENID_CLAIMS,
    // The claim `hd` is the domain of an organization whose mail Google hosts.
    provenAddresses: { kind: 'hosted', domains: ['gmail.com', 'googlemail.com'], claim: 'hd' },
    quirks: ['google-clients'],
    tokenCheckUrl: 'https://oauth2.googleapis.com/tokeninfo',
  },
  'apple.com': {
    id: 'apple.com',
    name: 'Apple',
    protocol: { kind: 'oidc', issuer: 'https://appleid.apple.com' },
    scopes: ['name', 'email'],
    profile: OPENID_CLAIMS,
    provenAddresses: { kind: 'verified' },
    quirks: ['apple-form'],
  },
  'microsoft.com': {
    id: 'microsoft.com',
    name: 'Microsoft',
    protocol: { kind: 'oidc', issuer: 'https://login.microsoftonline.com/common/v2.0' },
    scopes: [...OPENID_SCOPES, 'User.Read'],
    // An administrator of any organization can choose the address. The claim says that the organization owns its domain.
    profile: { ...OPENID_CLAIMS, rawId: 'oid', otherRawIds: ['oid', 'sub'], isEmailVerified: 'xms_edov' },
    provenAddresses: { kind: 'verified' },
    quirks: [],
  },
  'github.com': {
    id: 'github.com',
    name: 'GitHub',
    protocol: {
      kind: 'oauth2',
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      profileUrl: 'https://api.github.com/user',
      secretIn: 'form',
    },
    scopes: ['read:user', 'user:email'],
    profile: {
      rawId: 'id',
      email: 'email',
      // Hearth adds the member, from the list of addresses.
      isEmailVerified: 'email_verified',
      displayName: 'name',
      photoUrl: 'avatar_url',
      screenName: 'login',
    },
    provenAddresses: NONE,
    quirks: ['github-emails'],
    tokenCheckUrl: 'https://api.github.com/applications/',
  },
  'facebook.com': {
    id: 'facebook.com',
    name: 'Facebook',
    protocol: {
      kind: 'oauth2',
      authorizationUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
      tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
      profileUrl: 'https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email,picture',
      secretIn: 'form',
    },
    scopes: ['email', 'public_profile'],
    profile: {
      rawId: 'id',
      email: 'email',
      displayName: 'name',
      firstName: 'first_name',
      lastName: 'last_name',
      photoUrl: 'picture.data.url',
    },
    provenAddresses: NONE,
    quirks: ['facebook-proof'],
    tokenCheckUrl: 'https://graph.facebook.com/v23.0/debug_token',
  },
  'twitter.com': {
    id: 'twitter.com',
    name: 'X (Twitter)',
    protocol: {
      kind: 'oauth2',
      authorizationUrl: 'https://x.com/i/oauth2/authorize',
      tokenUrl: 'https://api.x.com/2/oauth2/token',
      profileUrl: 'https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url',
      emailProfile: {
        scope: 'users.email',
        url: 'https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url,confirmed_email',
      },
      secretIn: 'header',
    },
    // An app that has the permission of X for addresses adds `users.email`.
    scopes: ['users.read', 'tweet.read'],
    profile: {
      within: 'data',
      rawId: 'id',
      email: 'confirmed_email',
      displayName: 'name',
      photoUrl: 'profile_image_url',
      screenName: 'username',
    },
    provenAddresses: NONE,
    quirks: [],
  },
  'yahoo.com': {
    id: 'yahoo.com',
    name: 'Yahoo',
    protocol: { kind: 'oidc', issuer: 'https://api.login.yahoo.com' },
    scopes: OPENID_SCOPES,
    profile: OPENID_CLAIMS,
    provenAddresses: NONE,
    quirks: [],
  },
  'linkedin.com': {
    id: 'linkedin.com',
    name: 'LinkedIn',
    protocol: { kind: 'oidc', issuer: 'https://www.linkedin.com/oauth' },
    scopes: OPENID_SCOPES,
    profile: OPENID_CLAIMS,
    provenAddresses: NONE,
    quirks: [],
  },
};

export function findPreset(id: string): Preset | undefined {
  return Object.hasOwn(PRESETS, id) ? PRESETS[id] : undefined;
}
