import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { testProvider } from '../../../../api/providers.ts';
import { loadableOf } from '../../../../api/query-state.ts';
import { useApi, useProjectId } from '../../../../session/session.ts';
import { SectionCard } from '../../../../ui/sections.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { PlainTable } from '../../../../ui/tables.tsx';
import { UntrustedText } from '../../../../ui/text.tsx';

/** A test that the user has started. */
export interface StartedTest {
  readonly id: string;
  /** Differs for each test, so that a second one of the same provider runs again. */
  readonly number: number;
}

/** Tests a provider, and shows what the server found. */
export function ProviderTestCard({ started: { id, number } }: { readonly started: StartedTest }) {
  const { t } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const tests = loadableOf(
    useQuery({
      queryKey: ['provider-test', project, id, number],
      queryFn: () => testProvider(api, project, id),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  );
  return (
    <SectionCard title={t('providers.test.of', { id })} about={t('providers.test.about')}>
      <Loaded of={tests}>
        {(results) => (
          <PlainTable
            label={t('providers.test.result')}
            head={[t('providers.test.part'), t('providers.test.result'), t('providers.test.details')]}
            rows={results.map(({ name, state, message = '' }) => ({
              key: name,
              cells: [
                t(`providers.test.name.${name}`),
                t(`providers.test.state.${state}`),
                <UntrustedText key="message" text={message} />,
              ],
            }))}
          />
        )}
      </Loaded>
    </SectionCard>
  );
}
