import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { SaveBar } from './save-bar.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

/** The result of checking a typed domain. */
export type DomainCheck =
  | { readonly kind: 'empty' }
  /** `domain` is in the form that the server stores. */
  | { readonly kind: 'good'; readonly domain: string }
  | { readonly kind: 'has-scheme' | 'has-port' | 'has-path' | 'not-domain' | 'wildcard' | 'known' };

/**
 * Checks a typed host name or IP address without scheme, port or path. A leading `*.` stands for all subdomains. `known`
 * are the domains that are already in the list.
 */
export function checkDomain(typed: string, known: readonly string[]): DomainCheck {
  const text = typed.trim().toLowerCase();
  if (text === '') return { kind: 'empty' };
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(text)) return { kind: 'has-scheme' };
  if (text.includes('/') || text.includes('?') || text.includes('#')) return { kind: 'has-path' };
  const isWild = text.startsWith('*.');
  const host = isWild ? text.slice(2) : text;
  if (host.includes('*')) return { kind: 'wildcard' };
  const isAddress = /^\[?[0-9a-f:.]+\]?$/.test(host) && (host.match(/:/g)?.length ?? 0) > 1;
  if (!isAddress && host.includes(':')) return { kind: 'has-port' };
  const bare = host.replace(/^\[|\]$/g, '');
  const url = URL.parse(`http://${isAddress ? `[${bare}]` : host}`);
  if (url === null || !/^[a-z0-9.:[\]-]+$/.test(url.hostname) || url.username !== '')
    return { kind: 'not-domain' };
  const domain = `${isWild ? '*.' : ''}${isAddress ? bare : url.hostname}`;
  return known.includes(domain) ? { kind: 'known' } : { kind: 'good', domain };
}

/** The section for the domains that email links and sign-in may redirect to. */
export function DomainsSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const [typed, setTyped] = useState('');
  const value = form.value(SETTINGS.domains);
  const domains = Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : [];
  const check = checkDomain(typed, domains);
  const isWrong = check.kind !== 'good' && check.kind !== 'empty';
  function add(): void {
    if (check.kind !== 'good') return;
    form.set(SETTINGS.domains, [...domains, check.domain]);
    setTyped('');
  }
  return (
    <>
      <SectionCard title={t('setting.domains')} about={t('domains.about')}>
        {domains.length === 0 ? (
          <Typography>{t('domains.none')}</Typography>
        ) : (
          <List disablePadding>
            {domains.map((domain) => (
              <ListItem
                key={domain}
                divider
                disableGutters
                secondaryAction={
                  form.mayOwn && (
                    <Button
                      size="small"
                      color="error"
                      aria-label={t('domains.removeOne', { domain })}
                      onClick={() =>
                        form.set(
                          SETTINGS.domains,
                          domains.filter((other) => other !== domain),
                        )
                      }
                    >
                      {t('domains.remove')}
                    </Button>
                  )
                }
              >
                <ListItemText primary={<CodeText>{domain}</CodeText>} />
              </ListItem>
            ))}
          </List>
        )}
        {form.mayOwn && (
          <Box
            component="form"
            noValidate
            sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}
            onSubmit={(event: React.FormEvent) => {
              event.preventDefault();
              add();
            }}
          >
            <TextField
              label={t('domains.new')}
              placeholder="app.example.com"
              value={typed}
              error={isWrong}
              helperText={isWrong ? t(`domains.problem.${check.kind}`) : t('domains.hint')}
              onChange={(event) => setTyped(event.target.value)}
              slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false }, formHelperText: { role: 'status' } }}
              sx={{ flex: '1 1 18rem' }}
            />
            <Button type="submit" variant="outlined" disabled={check.kind !== 'good'}>
              {t('domains.add')}
            </Button>
          </Box>
        )}
      </SectionCard>
      <SaveBar form={form} />
    </>
  );
}
