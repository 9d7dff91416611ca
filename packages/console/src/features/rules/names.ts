import type { RulesAuthor } from '@hearth/core/api/rules-version.ts';
import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeniedIdentity } from '../../api/denials.ts';
import { showControls } from '../../ui/text.tsx';

/** Returns the name of a rule, such as `.read /rooms/$id`. The name is the same in every language. */
export function printRuleName({
  kind,
  location,
}: {
  readonly kind: RuleKind;
  readonly location: string;
}): string {
  return `.${kind} ${location}`;
}

/** Returns a function that prints the author of a rules version. */
export function usePrintAuthor(): (author: RulesAuthor) => string {
  const { t } = useTranslation('rules');
  return useCallback(
    (author) => {
      switch (author.kind) {
        case 'admin':
          return t('author.admin');
        case 'guest':
          return t('denials.guest');
        case 'user':
          return showControls(author.uid);
        case 'member':
          return showControls(author.email ?? author.uid);
        case 'service-account':
          return showControls(author.email);
        case 'file':
          return t('author.file', { name: showControls(author.name) });
        case 'unknown':
          return t('author.unknown');
        default:
          return author satisfies never;
      }
    },
    [t],
  );
}

/** Returns a function that prints the principal of a denial. */
export function usePrintIdentity(): (identity: DeniedIdentity) => string {
  const { t } = useTranslation('rules');
  return useCallback(
    (identity) => {
      if (identity.kind === 'guest') return t('denials.guest');
      const name = nameIn(identity.auth);
      return name === undefined ? t('denials.somebody') : showControls(name);
    },
    [t],
  );
}

/** Returns the email address in the token, or otherwise the user ID. */
function nameIn(auth: unknown): string | undefined {
  const { uid, token }: { readonly uid?: unknown; readonly token?: unknown } = Object(auth);
  const { email }: { readonly email?: unknown } = Object(token);
  return [email, uid].find((name): name is string => typeof name === 'string' && name !== '');
}
