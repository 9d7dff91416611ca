import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readSamlMetadata, type SamlIdentityProvider } from '../../../../api/providers.ts';
import { useApi, useProjectId } from '../../../../session/session.ts';
import { CopyButton } from '../../../../ui/copy-and-save.tsx';
import { Failure } from '../../../../ui/states.tsx';
import { CodeText } from '../../../../ui/text.tsx';
import { certificateEnd, certificatesIn } from './certificates.ts';

/** Longest metadata that the server reads, in bytes. */
const MAX_METADATA_BYTES = 262_144;

type Reading =
  | { readonly kind: 'idle' | 'running' | 'done' | 'too-long' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Reads the metadata of a SAML provider, pasted or from a file, and fills the fields of the form. */
export function SamlMetadata({ fill }: { readonly fill: (provider: SamlIdentityProvider) => void }) {
  const { t } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [reading, setReading] = useState<Reading>({ kind: 'idle' });
  async function read(metadata: string): Promise<void> {
    if (new TextEncoder().encode(metadata).length > MAX_METADATA_BYTES)
      return setReading({ kind: 'too-long' });
    setReading({ kind: 'running' });
    try {
      fill(await readSamlMetadata(api, project, metadata));
      setReading({ kind: 'done' });
    } catch (error) {
      setReading({ kind: 'failed', error });
    }
  }
  async function readFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    // A longer file is not read into memory.
    if (file.size > MAX_METADATA_BYTES) return setReading({ kind: 'too-long' });
    const metadata = await file.text();
    setText(metadata);
    await read(metadata);
  }
  return (
    <>
      <TextField
        label={t('providers.saml.metadata')}
        value={text}
        multiline
        maxRows={6}
        helperText={t('providers.saml.aboutMetadata')}
        onChange={(event) => setText(event.target.value)}
        sx={{ marginBlockStart: 1 }}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button
          variant="outlined"
          disabled={text.trim() === ''}
          loading={reading.kind === 'running'}
          onClick={() => void read(text)}
        >
          {t('providers.saml.read')}
        </Button>
        <Button variant="outlined" onClick={() => input.current?.click()}>
          {t('providers.saml.file')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          aria-label={t('providers.saml.file')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // Otherwise the browser reports no change if the user chooses the same file again.
            target.value = '';
            void readFile(file);
          }}
        />
      </Box>
      <Box role="status">
        {reading.kind === 'done' && <Typography variant="body2">{t('providers.saml.filled')}</Typography>}
        {reading.kind === 'too-long' && <Failure error={new Error(t('providers.saml.tooLong'))} />}
        {reading.kind === 'failed' && <Failure error={reading.error} />}
      </Box>
    </>
  );
}

/** Says until when each certificate is valid. */
export function CertificateEnds({ certificates }: { readonly certificates: string }) {
  const { t, i18n } = useTranslation('sign-in');
  const ends = certificatesIn(certificates).map(certificateEnd);
  if (ends.length === 0) return t('providers.saml.aboutCertificates');
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' });
  const texts = ends.map((end) => {
    if (end === undefined) return t('providers.saml.unreadable');
    const date = format.format(end);
    return end.getTime() < Date.now()
      ? t('providers.saml.expired', { date })
      : t('providers.saml.validUntil', { date });
  });
  return texts.join(' · ');
}

/** Shows the values of this server that the administrator of the identity provider must enter there. */
export function SamlService({ id, entityId }: { readonly id: string; readonly entityId: string }) {
  const { t } = useTranslation('sign-in');
  const project = useProjectId();
  const query = new URLSearchParams({ project });
  const rows = [
    [t('providers.field.spEntityId'), entityId],
    [t('providers.saml.acs'), `${location.origin}/__/auth/handler`],
    [
      t('providers.saml.ownMetadata'),
      `${location.origin}/__/auth/saml/${encodeURIComponent(id)}/metadata?${query}`,
    ],
  ] as const;
  return (
    <div>
      <Typography component="h3" variant="subtitle2">
        {t('providers.saml.forProvider')}
      </Typography>
      {rows.map(([label, text]) => (
        <Box key={label} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <Typography component="div" variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {label}: <CodeText>{text}</CodeText>
          </Typography>
          <CopyButton text={text} label={t('providers.saml.copy', { name: label })} />
        </Box>
      ))}
    </div>
  );
}
