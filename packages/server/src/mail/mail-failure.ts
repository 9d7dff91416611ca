/** `unavailable`: no mail would get through now. `temporary`: this one does not now. `permanent`: it never will. */
export type MailFailureKind = 'unavailable' | 'temporary' | 'permanent';

/** A mail that was not accepted. Its message is for operators, and holds neither links nor codes. */
export class MailFailure extends Error {
  readonly kind: MailFailureKind;

  constructor(kind: MailFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailFailure';
    this.kind = kind;
  }
}
