import { useEffect, useState } from 'react';
import type { Messages as ProviderTexts } from '../handler/messages/messages.ts';
import type { Language } from '../shell/document.ts';
import { PageCard, Working } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import type { Stage } from './use-hosted.ts';

interface EndViewProps {
  readonly end: Extract<Stage, { readonly kind: 'problem' }> | { readonly kind: 'delivered' };
  readonly language: Language;
  /** The heading until the texts are loaded. Few visits need them, so the page loads them only here. */
  readonly waiting: string;
}

/** The end of a visit without the app: a problem, or a popup that the browser did not close. */
export function EndView({ end, language, waiting }: EndViewProps) {
  const [texts, setTexts] = useState<ProviderTexts | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void import('../handler/messages/load.ts')
      .then(({ loadMessages }) => loadMessages(language))
      .then((loaded) => {
        if (isWanted) setTexts(loaded);
      });
    return () => {
      isWanted = false;
    };
  }, [language]);
  if (texts === undefined)
    return (
      <PageCard drawing="lock" heading={waiting} screen="waiting">
        <Working />
      </PageCard>
    );
  const isProblem = end.kind === 'problem';
  const { heading, text } = isProblem ? texts.problems[end.problem] : texts.delivered;
  return (
    <PageCard
      drawing={isProblem ? 'warning' : 'check'}
      tone={isProblem ? 'error' : 'success'}
      heading={heading}
      screen={end.kind}
    >
      <Text>{text}</Text>
    </PageCard>
  );
}
