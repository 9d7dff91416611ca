import type { RequestSource } from '../../audit/audit-trail.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import { emptyAccount } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import { parseEmail } from '../email.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { prepareProject, saveNewProject } from '../new-project.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { newUid } from '../random-id.ts';
import { saveMember } from './member-book.ts';
import { isOwnerToken, useOwnerLink } from './owner-link.ts';

/** What became of the link of the first owner. */
export interface FirstOwner {
  readonly projectId: string;
  readonly uid: string;
  readonly email: string;
  /** Of the project, if it was made; `null` if it was there. */
  readonly apiKey: string | null;
}

/**
 * Makes an account that owns a project, and the project unless it is there, for whoever has the link. Fields: `token`,
 * `project`, `email`, `password`. Refuses with an `IdentityError`; then the link works on.
 */
export async function createFirstOwner(
  services: Pick<IdentityServices, 'audit' | 'books' | 'clock' | 'passwords' | 'projects' | 'randomBytes'>,
  settings: ProjectSettings,
  fields: Fields,
  source: RequestSource,
): Promise<FirstOwner> {
  const { books, clock, passwords, projects, randomBytes } = services;
  const token = fields.filled('token') ?? '';
  // Before the password, so that hashing is for those who have the link.
  books.read((view) => {
    if (!isOwnerToken(view.book(INSTALLATION), token, clock.nowMs())) throw brokenLink();
  });
  const made = prepareProject(fields.filled('project') ?? '', settings, randomBytes);
  const { id } = made.project;
  const email = parseEmail(fields.mustHave('email', 'MISSING_EMAIL'));
  const password = fields.mustHave('password', 'MISSING_PASSWORD');
  mustBeAcceptable(password, projects.find(id) ?? made.project, email);
  const hash = await passwords.hashEncoded(password);
  const uid = newUid(randomBytes);
  const owner = await books.change((turn): FirstOwner => {
    const book = turn.book(INSTALLATION);
    if (!isOwnerToken(book, token, turn.nowMs)) throw brokenLink();
    const isNew = book.find(['projects', id]) === undefined;
    saveAccount(turn.book(accountsBook(id)), undefined, {
      ...emptyAccount(uid, turn.nowMs),
      email,
      // Whoever has the link has the machine: nobody has to tell them who they are.
      isEmailVerified: true,
      password: hash,
      passwordUpdatedAtMs: turn.nowMs,
    });
    if (isNew) saveNewProject(book, made, turn.nowMs);
    saveMember(book, id, { uid, role: 'owner', addedAtMs: turn.nowMs });
    useOwnerLink(book);
    return { projectId: id, uid, email, apiKey: isNew ? made.apiKey : null };
  });
  const about = { projectId: id, uid, actor: 'owner-link', ...source, result: 'ok' };
  if (owner.apiKey !== null) services.audit.tell({ ...about, event: 'project_created', detail: null });
  services.audit.tell({ ...about, event: 'member_changed', detail: 'owner' });
  return owner;
}

function brokenLink(): IdentityError {
  return new IdentityError(
    'INVALID_OOB_CODE',
    'The link does not work, or works no more: start the server again for another.',
  );
}
