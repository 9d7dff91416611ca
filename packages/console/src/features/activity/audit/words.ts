import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { AUDIT_EVENTS, type AuditEntry } from '../../../api/audit.ts';
import { printBytes } from '../../../ui/text.tsx';

/** Actors that are not names of accounts. */
const ACTORS = ['app', 'server', 'unknown', 'owner', 'local-admin'] as const;

/** Details of actions on databases. */
const DETAILS = [
  'replace',
  'merge',
  'deep-merge',
  'failed',
  'canceled',
  'defaultWriteSizeLimit',
  'strictTriggerValidation',
  'recording',
  'denials',
] as const;

interface AuditWords {
  /** Returns what happened, or the code of an event that this console does not know. */
  nameOf(event: string): string;
  /** Returns the actor: a name, or a word for an actor without a name. */
  actorOf(actor: string): string;
  /** Returns the detail of an action on a database, and how much it concerns. May be empty. */
  extentOf(entry: Pick<AuditEntry, 'detail' | 'subject'>): readonly string[];
}

/** Returns functions that describe entries of the audit log in the language of the page. */
export function useAuditWords(): AuditWords {
  const { t, i18n } = useTranslation('audit');
  const { language } = i18n;
  const nameOf = useCallback(
    (event: string): string => {
      const known = AUDIT_EVENTS.find((name) => name === event);
      return known === undefined ? event : t(`event.${known}`);
    },
    [t],
  );
  const actorOf = useCallback(
    (actor: string): string => {
      const known = ACTORS.find((name) => name === actor);
      return known === undefined ? actor : t(`actorName.${known}`);
    },
    [t],
  );
  const extentOf = useCallback(
    ({ detail, subject }: Pick<AuditEntry, 'detail' | 'subject'>): readonly string[] => {
      const word = DETAILS.find((name) => name === detail);
      const { count, bytes } = subject ?? {};
      return [
        ...(word === undefined ? [] : [t(`detail.${word}`)]),
        ...(count === undefined || count === 1
          ? []
          : [t('paths', { count, number: count.toLocaleString(language) })]),
        ...(bytes === undefined ? [] : [printBytes(bytes, language)]),
      ];
    },
    [t, language],
  );
  return { nameOf, actorOf, extentOf };
}
