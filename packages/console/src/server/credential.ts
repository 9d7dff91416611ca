/** What says to the server who is at the console. */
export interface Credential {
  /** A token that is good now. Rejects with an `ApiError` with status 401 when there is nobody any more. */
  token(): Promise<string>;
  /** Tells of every other token from then on; returns how to stop. */
  onChange(tell: () => void): () => void;
}

/** In development any token is an administrator's; the official tools say this one. */
export const DEVELOPMENT_TOKEN = 'owner';

export const DEVELOPMENT_CREDENTIAL: Credential = {
  token: async () => DEVELOPMENT_TOKEN,
  onChange: () => () => {},
};
