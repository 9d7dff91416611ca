import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import { SectionCard } from '../../elements/section-card.tsx';
import { checkDomain } from './check-domain.ts';
import { SaveBar } from './save-bar.tsx';
import { SETTINGS } from './settings.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Where links in mails and sign-in may lead back to. */
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
