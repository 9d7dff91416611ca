import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RotationStep, ServiceCertificate } from '../../../../api/providers.ts';
import { CopyButton } from '../../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { notify } from '../../../../ui/notices.tsx';
import { SectionCard } from '../../../../ui/sections.tsx';

interface SamlKeyCardProps {
  /** The certificate of the key in use, and that of the next key if there is one. */
  readonly certificates: readonly ServiceCertificate[];
  readonly mayChange: boolean;
  readonly rotate: (step: RotationStep) => Promise<void>;
}

/** The key that signs requests to SAML providers, and the steps in which the next one replaces it. */
export function SamlKeyCard({ certificates, mayChange, rotate }: SamlKeyCardProps) {
  const { t, i18n } = useTranslation('sign-in');
  const [confirmed, setConfirmed] = useState<RotationStep | null>(null);
  const hasNext = certificates.length > 1;
  const steps: readonly RotationStep[] = hasNext ? ['FINISH', 'CANCEL'] : ['PREPARE'];
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <SectionCard title={t('samlKey.title')} about={t(hasNext ? 'samlKey.aboutNext' : 'samlKey.about')}>
      {certificates.map(({ x509Certificate, expiresAt }, index) => {
        const label = t(index === 0 ? 'samlKey.current' : 'samlKey.next');
        const date = format.format(new Date(expiresAt));
        return (
          <Box key={x509Certificate} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Typography variant="body2">
              {label} · {t('providers.saml.validUntil', { date })}
            </Typography>
            <CopyButton text={x509Certificate} label={t('providers.saml.copy', { name: label })} />
          </Box>
        );
      })}
      {mayChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {steps.map((step) => (
            <Button key={step} variant="outlined" onClick={() => setConfirmed(step)}>
              {t(`samlKey.step.${step}`)}
            </Button>
          ))}
        </Box>
      )}
      <ConfirmDialog
        isOpen={confirmed !== null}
        isDestructive={confirmed === 'FINISH'}
        title={confirmed === null ? '' : t(`samlKey.step.${confirmed}`)}
        action={confirmed === null ? '' : t(`samlKey.step.${confirmed}`)}
        close={() => setConfirmed(null)}
        run={async () => {
          if (confirmed === null) return;
          await rotate(confirmed);
          notify({ kind: 'done', text: t(`samlKey.done.${confirmed}`) });
        }}
      >
        {confirmed === null ? '' : t(`samlKey.text.${confirmed}`)}
      </ConfirmDialog>
    </SectionCard>
  );
}
