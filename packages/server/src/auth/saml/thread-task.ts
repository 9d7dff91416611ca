/** Work on SAML documents that a thread does. All members are plain JSON. */
export type SamlTask =
  | {
      readonly kind: 'authorize';
      readonly provider: SamlPeers;
      readonly requestId: string;
      readonly relayState: string;
      /** The key that signs the request, in PEM; `null` to send it without a signature. */
      readonly privateKey: string | null;
    }
  | {
      readonly kind: 'verify';
      readonly provider: SamlPeers;
      /** The request that the response must answer. */
      readonly requestId: string;
      /** Certificates of the identity provider, in PEM. */
      readonly certificates: readonly string[];
      /** From `decodeDocument`. */
      readonly xml: string;
    }
  | {
      /** Reads the metadata of an identity provider. */
      readonly kind: 'metadata';
      /** From `requireMetadataXml`. */
      readonly xml: string;
    };

/** The identity provider and this server as they know each other. */
export interface SamlPeers {
  readonly ssoUrl: string;
  readonly spEntityId: string;
  /** The address of this server that receives the response. */
  readonly callbackUrl: string;
}

/** The reply of a thread to a task. */
export type SamlReply =
  | { readonly kind: 'address'; readonly address: string }
  | {
      readonly kind: 'verified';
      /** The signed assertion as `xml2js` represents it: an element is a list, `$` its attributes, `_` its text. */
      readonly assertion: unknown;
      /** The `Destination` of the response; `null` if it names none. */
      readonly destination: string | null;
    }
  | { readonly kind: 'canceled' }
  | {
      readonly kind: 'metadata';
      readonly idpEntityId: string;
      /** The address that accepts requests in the address. */
      readonly ssoUrl: string;
      /** In base64. */
      readonly certificates: readonly string[];
      readonly wantsSignedRequests: boolean;
    }
  /** The document is not valid. The message is for administrators. */
  | { readonly kind: 'invalid'; readonly message: string };
