import AddIcon from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { idOf, type ProviderConfig, serviceCertificates } from '../../../../api/providers.ts';
import { CopyButton } from '../../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { notify } from '../../../../ui/notices.tsx';
import { SectionCard } from '../../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { PlainTable } from '../../../../ui/tables.tsx';
import { CodeText, UntrustedText } from '../../../../ui/text.tsx';
import type { SettingsForm } from '../settings-form.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderTestCard, type StartedTest } from './provider-test.tsx';
import { SamlKeyCard } from './saml-key.tsx';
import { useProviders } from './use-providers.ts';

/** The address to which providers send users back. */
const REDIRECT_PATH = '/__/auth/handler';

type Opened = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly config: ProviderConfig };

/** The section for identity providers, such as Google, with which users sign in. */
export function ProvidersSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const { providers, create, change, remove, rotate } = useProviders();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [started, setStarted] = useState<StartedTest | null>(null);
  const redirect = `${location.origin}${REDIRECT_PATH}`;
  const certificates = providers.kind === 'ready' ? serviceCertificates(providers.data.configs) : [];
  const presets =
    providers.kind === 'ready'
      ? providers.data.presets.filter(
          ({ idpId }) => !providers.data.configs.some((config) => idOf(config) === idpId),
        )
      : [];
  return (
    <>
      <SectionCard title={t('providers.redirect')} about={t('providers.aboutRedirect')}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <CodeText>{redirect}</CodeText>
          <CopyButton text={redirect} label={t('providers.copyRedirect')} />
        </Box>
      </SectionCard>
      <SectionCard
        title={t('section.providers')}
        about={t('providers.about')}
        actions={
          form.mayOwn &&
          providers.kind === 'ready' && (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setOpened({ kind: 'add' })}>
              {t('providers.add')}
            </Button>
          )
        }
      >
        <Loaded of={providers}>
          {({ configs }) =>
            configs.length === 0 ? (
              <EmptyState title={t('providers.none')} />
            ) : (
              <PlainTable
                label={t('providers.list')}
                head={[
                  t('providers.provider'),
                  t('providers.field.clientId'),
                  t('providers.state'),
                  form.mayOwn && t('providers.actions'),
                ]}
                rows={configs.map((config) => {
                  const id = idOf(config);
                  return {
                    key: id,
                    cells: [
                      <CodeText key="id">{id}</CodeText>,
                      <UntrustedText
                        key="client"
                        text={config.clientId ?? config.idpConfig?.ssoUrl ?? ''}
                        isCode
                      />,
                      t(config.enabled === true ? 'value.on' : 'value.off'),
                      <Box key="actions" component="span" sx={{ whiteSpace: 'nowrap' }}>
                        <Button
                          size="small"
                          aria-label={`${t('providers.edit')}: ${id}`}
                          onClick={() => setOpened({ kind: 'edit', config })}
                        >
                          {t('providers.edit')}
                        </Button>
                        <Button
                          size="small"
                          aria-label={`${t('providers.test.run')}: ${id}`}
                          onClick={() => setStarted({ id, number: (started?.number ?? 0) + 1 })}
                        >
                          {t('providers.test.run')}
                        </Button>
                        <Button
                          size="small"
                          color="error"
                          aria-label={`${t('providers.remove')}: ${id}`}
                          onClick={() => setRemoving(id)}
                        >
                          {t('providers.remove')}
                        </Button>
                      </Box>,
                    ],
                  };
                })}
              />
            )
          }
        </Loaded>
      </SectionCard>
      {certificates.length > 0 && (
        <SamlKeyCard certificates={certificates} mayChange={form.mayOwn} rotate={rotate} />
      )}
      {started !== null && <ProviderTestCard started={started} />}
      {opened !== null && (
        <ProviderDialog
          config={opened.kind === 'edit' ? opened.config : null}
          presets={presets}
          save={async (id, config) => {
            await (opened.kind === 'add' ? create(id, config) : change(id, config));
            notify({ kind: 'done', text: t('saved') });
          }}
          close={() => setOpened(null)}
        />
      )}
      <ConfirmDialog
        isOpen={removing !== null}
        isDestructive
        title={t('providers.removeOf', { id: removing ?? '' })}
        action={t('providers.remove')}
        typed={removing ?? ''}
        close={() => setRemoving(null)}
        run={async () => {
          if (removing === null) return;
          await remove(removing);
          notify({ kind: 'done', text: t('saved') });
        }}
      >
        {t('providers.removeText')}
      </ConfirmDialog>
    </>
  );
}
