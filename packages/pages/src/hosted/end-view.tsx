import type { Language } from '../shell/document.ts';
import { PageCard, Working } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import { useMessages } from '../shell/use-messages.ts';
import type { Stage } from './use-hosted.ts';

/** Loads the texts of the page of providers, which few visits need. */
async function loadProviderTexts(language: Language) {
  const { loadMessages } = await import('../handler/messages/load.ts');
  return loadMessages(language);
}

interface EndViewProps {
  readonly end: Extract<Stage, { readonly kind: 'problem' }> | { readonly kind: 'delivered' };
  readonly language: Language;
  /** The heading until the texts are loaded. */
  readonly waiting: string;
}

/** The end of a visit without the app: a problem, or a popup that the browser did not close. */
export function EndView({ end, language, waiting }: EndViewProps) {
  const texts = useMessages(loadProviderTexts, language);
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
